# SPDX-License-Identifier: MIT
#
# Finds the headers of Graphviz, whose library `awaitc graph` loads when it runs: target
# Graphviz::headers. Nothing is linked: `awaitc cc` starts once per compiled file.

find_path(Graphviz_INCLUDE_DIR graphviz/gvc.h)
mark_as_advanced(Graphviz_INCLUDE_DIR)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(Graphviz
  REQUIRED_VARS Graphviz_INCLUDE_DIR
  REASON_FAILURE_MESSAGE "install libgraphviz-dev: svg, png, pdf and html need it")

if(Graphviz_FOUND AND NOT TARGET Graphviz::headers)
  add_library(Graphviz::headers INTERFACE IMPORTED)
  set_target_properties(Graphviz::headers PROPERTIES
    INTERFACE_INCLUDE_DIRECTORIES "${Graphviz_INCLUDE_DIR};${Graphviz_INCLUDE_DIR}/graphviz"
    INTERFACE_COMPILE_DEFINITIONS AWAITC_HAS_GRAPHVIZ)
endif()
