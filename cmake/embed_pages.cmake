# SPDX-License-Identifier: MIT
#
# Turns every PAGES/*.md (or *SUFFIX) into lines of a C table, OUTPUT: PAGE("name") opens a page,
# LINE("text") adds a line to it. Run at build time:
#
#   cmake -DPAGES=FOLDER -DOUTPUT=FILE [-DSUFFIX=.scm] -P embed_pages.cmake

if(NOT SUFFIX)
  set(SUFFIX .md)
endif()
file(GLOB pages "${PAGES}/*${SUFFIX}")
list(SORT pages)
set(table "/* Made from pages by cmake/embed_pages.cmake; not to be edited. */\n")
foreach(page IN LISTS pages)
  get_filename_component(name "${page}" NAME_WE)
  file(READ "${page}" text)
  string(REGEX REPLACE "\n+$" "" text "${text}")
  string(REPLACE "\\" "\\\\" text "${text}")
  string(REPLACE "\"" "\\\"" text "${text}")
  string(REPLACE "?" "\\?" text "${text}") # no trigraphs
  string(REPLACE "\n" "\")\nLINE(\"" text "${text}")
  string(APPEND table "PAGE(\"${name}\")\nLINE(\"${text}\")\n")
endforeach()
file(WRITE "${OUTPUT}" "${table}")
