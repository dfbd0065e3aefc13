# SPDX-License-Identifier: MIT
#
# Turns every DATA/*.tsv into lines of a C table, OUTPUT: TABLE("rules/data/x.tsv") opens a table,
# LINE("text") adds a line to it. constants.tsv comes first, since the guards of the others name
# constants. Run at build time: cmake -DDATA=... -DOUTPUT=... -P embed_facts.cmake

file(GLOB tables "${DATA}/*.tsv")
list(SORT tables)
list(REMOVE_ITEM tables "${DATA}/constants.tsv")
list(PREPEND tables "${DATA}/constants.tsv")
set(out "/* Made from rules/data by cmake/embed_facts.cmake; not to be edited. */\n")
foreach(table IN LISTS tables)
  get_filename_component(name "${table}" NAME)
  file(READ "${table}" text)
  string(REGEX REPLACE "\n+$" "" text "${text}")
  string(REPLACE "\\" "\\\\" text "${text}")
  string(REPLACE "\"" "\\\"" text "${text}")
  string(REPLACE "?" "\\?" text "${text}") # no trigraphs
  string(REPLACE "\t" "\\t" text "${text}")
  string(REPLACE "\n" "\")\nLINE(\"" text "${text}")
  string(APPEND out "TABLE(\"rules/data/${name}\")\nLINE(\"${text}\")\n")
endforeach()
file(WRITE "${OUTPUT}" "${out}")
