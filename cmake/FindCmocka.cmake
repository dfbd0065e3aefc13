# SPDX-License-Identifier: MIT
#
# Finds cmocka, the unit test library: target Cmocka::cmocka.

find_path(Cmocka_INCLUDE_DIR cmocka.h)
find_library(Cmocka_LIBRARY cmocka)
mark_as_advanced(Cmocka_INCLUDE_DIR Cmocka_LIBRARY)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(Cmocka
  REQUIRED_VARS Cmocka_LIBRARY Cmocka_INCLUDE_DIR
  REASON_FAILURE_MESSAGE "install libcmocka-dev")

if(Cmocka_FOUND AND NOT TARGET Cmocka::cmocka)
  add_library(Cmocka::cmocka UNKNOWN IMPORTED)
  set_target_properties(Cmocka::cmocka PROPERTIES
    IMPORTED_LOCATION "${Cmocka_LIBRARY}"
    INTERFACE_INCLUDE_DIRECTORIES "${Cmocka_INCLUDE_DIR}")
endif()
