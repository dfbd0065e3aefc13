# SPDX-License-Identifier: MIT
#
# Finds libyaml, which reads the linter's configuration: target Yaml::yaml. The static library is
# preferred: the tool starts once per compiled file, and each shared library costs start-up time.

find_path(Yaml_INCLUDE_DIR yaml.h)
find_library(Yaml_LIBRARY NAMES libyaml.a yaml)
mark_as_advanced(Yaml_INCLUDE_DIR Yaml_LIBRARY)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(Yaml
  REQUIRED_VARS Yaml_LIBRARY Yaml_INCLUDE_DIR
  REASON_FAILURE_MESSAGE "install libyaml-dev")

if(Yaml_FOUND AND NOT TARGET Yaml::yaml)
  add_library(Yaml::yaml UNKNOWN IMPORTED)
  set_target_properties(Yaml::yaml PROPERTIES
    IMPORTED_LOCATION "${Yaml_LIBRARY}"
    INTERFACE_INCLUDE_DIRECTORIES "${Yaml_INCLUDE_DIR}")
endif()
