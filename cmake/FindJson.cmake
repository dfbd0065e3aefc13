# SPDX-License-Identifier: MIT
#
# Finds jansson, which reads compilation databases: target Json::json. The static library is
# preferred: the tool starts once per compiled file, and each shared library costs start-up time.

find_path(Json_INCLUDE_DIR jansson.h)
find_library(Json_LIBRARY NAMES libjansson.a jansson)
mark_as_advanced(Json_INCLUDE_DIR Json_LIBRARY)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(Json
  REQUIRED_VARS Json_LIBRARY Json_INCLUDE_DIR
  REASON_FAILURE_MESSAGE "install libjansson-dev")

if(Json_FOUND AND NOT TARGET Json::json)
  add_library(Json::json UNKNOWN IMPORTED)
  set_target_properties(Json::json PROPERTIES
    IMPORTED_LOCATION "${Json_LIBRARY}"
    INTERFACE_INCLUDE_DIRECTORIES "${Json_INCLUDE_DIR}")
endif()
