# SPDX-License-Identifier: MIT
#
# The tool: everything but its commands is a library, so that unit tests can link with it; so are
# the commands (awaitc_tool), all but main.c.

file(GLOB_RECURSE analyzer_sources CONFIGURE_DEPENDS
  "${PROJECT_SOURCE_DIR}/analyzer/*.c" "${PROJECT_SOURCE_DIR}/transforms/*.c"
  "${PROJECT_SOURCE_DIR}/rules/*.c")
file(GLOB tool_sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/analyzer/tool/*.c")
list(REMOVE_ITEM analyzer_sources ${tool_sources})
list(FILTER analyzer_sources EXCLUDE REGEX "/node_modules/")
# Walks of the tree handle the kinds that they care for and have a default for the other eighty.
set(tree_walks ${analyzer_sources})
list(FILTER tree_walks INCLUDE REGEX "/(transforms|sema|flow|program|rules)/")
set_property(SOURCE ${tree_walks} APPEND PROPERTY COMPILE_OPTIONS -Wno-switch-enum)

set(main_source "${PROJECT_SOURCE_DIR}/analyzer/tool/main.c")
list(REMOVE_ITEM tool_sources "${main_source}")

set(internal_libraries "${PROJECT_BINARY_DIR}/internal")

add_library(awaitc_analyzer STATIC ${analyzer_sources})
target_link_libraries(awaitc_analyzer PUBLIC awaitc_flags PRIVATE ${CMAKE_DL_LIBS})
set_target_properties(awaitc_analyzer PROPERTIES ARCHIVE_OUTPUT_DIRECTORY "${internal_libraries}")
if(AWAITC_FAULTS)
  target_compile_definitions(awaitc_analyzer PRIVATE AWAITC_FAULTS)
endif()
if(TARGET ClangC::headers)
  target_link_libraries(awaitc_analyzer PRIVATE ClangC::headers)
endif()
# The style sheet, script and body of the page of `awaitc graph`.
set(page_text "${PROJECT_BINARY_DIR}/generated/analyzer/diagram/page_text.def")
file(GLOB page_sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/analyzer/diagram/page/*")
add_custom_command(
  OUTPUT "${page_text}"
  COMMAND "${CMAKE_COMMAND}" "-DPAGES=${PROJECT_SOURCE_DIR}/analyzer/diagram/page" "-DSUFFIX=.*"
    "-DOUTPUT=${page_text}" -P "${PROJECT_SOURCE_DIR}/cmake/embed_pages.cmake"
  DEPENDS ${page_sources} "${PROJECT_SOURCE_DIR}/cmake/embed_pages.cmake"
  COMMENT "Embedding the page of graph"
  VERBATIM)
target_sources(awaitc_analyzer PRIVATE "${page_text}")
target_include_directories(awaitc_analyzer PRIVATE "${PROJECT_BINARY_DIR}/generated")
if(TARGET Graphviz::headers)
  target_link_libraries(awaitc_analyzer PRIVATE Graphviz::headers)
endif()
if(TARGET Json::json)
  target_link_libraries(awaitc_analyzer PUBLIC Json::json)
endif()
if(TARGET Yaml::yaml)
  target_link_libraries(awaitc_analyzer PRIVATE Yaml::yaml)
endif()

set(generated "${PROJECT_BINARY_DIR}/generated")

# The facts of rules/data, into analyzer/program/known_data.def.
set(known_data "${generated}/analyzer/program/known_data.def")
file(GLOB fact_tables CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/rules/data/*.tsv")
add_custom_command(
  OUTPUT "${known_data}"
  COMMAND "${CMAKE_COMMAND}" "-DDATA=${PROJECT_SOURCE_DIR}/rules/data" "-DOUTPUT=${known_data}"
    -P "${PROJECT_SOURCE_DIR}/cmake/embed_facts.cmake"
  DEPENDS ${fact_tables} "${PROJECT_SOURCE_DIR}/cmake/embed_facts.cmake"
  COMMENT "Embedding rules/data"
  VERBATIM)
target_sources(awaitc_analyzer PRIVATE "${known_data}")
set_source_files_properties("${PROJECT_SOURCE_DIR}/analyzer/program/known_facts.c"
  PROPERTIES INCLUDE_DIRECTORIES "${generated}" OBJECT_DEPENDS "${known_data}")

# The built-in rules of rules/queries, into analyzer/query/built_in_queries.def.
target_link_libraries(awaitc_analyzer PRIVATE TreeSitter::c Threads::Threads)
set(built_in_queries "${generated}/analyzer/query/built_in_queries.def")
file(GLOB query_files CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/rules/queries/*.scm")
add_custom_command(
  OUTPUT "${built_in_queries}"
  COMMAND "${CMAKE_COMMAND}" "-DPAGES=${PROJECT_SOURCE_DIR}/rules/queries" -DSUFFIX=.scm
    "-DOUTPUT=${built_in_queries}" -P "${PROJECT_SOURCE_DIR}/cmake/embed_pages.cmake"
  DEPENDS ${query_files} "${PROJECT_SOURCE_DIR}/cmake/embed_pages.cmake"
  COMMENT "Embedding rules/queries"
  VERBATIM)
target_sources(awaitc_analyzer PRIVATE "${built_in_queries}")
set_source_files_properties("${PROJECT_SOURCE_DIR}/analyzer/query/query_rules.c"
  PROPERTIES INCLUDE_DIRECTORIES "${generated}" OBJECT_DEPENDS "${built_in_queries}")

# The style and the script of HTML reports, into analyzer/report/html_page.def.
set(html_page "${generated}/analyzer/report/html_page.def")
file(GLOB html_page_parts CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/analyzer/report/page/*")
add_custom_command(
  OUTPUT "${html_page}"
  COMMAND "${CMAKE_COMMAND}" "-DPAGES=${PROJECT_SOURCE_DIR}/analyzer/report/page" "-DSUFFIX=.*"
    "-DOUTPUT=${html_page}" -P "${PROJECT_SOURCE_DIR}/cmake/embed_pages.cmake"
  DEPENDS ${html_page_parts} "${PROJECT_SOURCE_DIR}/cmake/embed_pages.cmake"
  COMMENT "Embedding the page of HTML reports"
  VERBATIM)
target_sources(awaitc_analyzer PRIVATE "${html_page}")
set_source_files_properties("${PROJECT_SOURCE_DIR}/analyzer/report/render_html.c"
  PROPERTIES INCLUDE_DIRECTORIES "${generated}" OBJECT_DEPENDS "${html_page}")

# The pages of `awaitc explain`, from a folder into analyzer/tool/NAME.def.
function(awaitc_embed_pages folder name)
  set(output "${generated}/analyzer/tool/${name}.def")
  file(GLOB pages CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/${folder}/*.md")
  add_custom_command(
    OUTPUT "${output}"
    COMMAND "${CMAKE_COMMAND}" "-DPAGES=${PROJECT_SOURCE_DIR}/${folder}" "-DOUTPUT=${output}"
      -P "${PROJECT_SOURCE_DIR}/cmake/embed_pages.cmake"
    DEPENDS ${pages} "${PROJECT_SOURCE_DIR}/cmake/embed_pages.cmake"
    COMMENT "Embedding pages"
    VERBATIM)
endfunction()
awaitc_embed_pages(docs/errors error_pages)
awaitc_embed_pages(rules/docs rule_pages)
set(embedded_pages "${generated}/analyzer/tool/error_pages.def"
  "${generated}/analyzer/tool/rule_pages.def")

if(tool_sources)
  add_library(awaitc_tool STATIC ${tool_sources} ${embedded_pages})
  target_link_libraries(awaitc_tool PUBLIC awaitc_analyzer)
  target_include_directories(awaitc_tool PRIVATE "${generated}")
  target_compile_definitions(awaitc_tool PRIVATE "AWAITC_VERSION=\"${PROJECT_VERSION}\"")
  set_target_properties(awaitc_tool PROPERTIES ARCHIVE_OUTPUT_DIRECTORY "${internal_libraries}")
endif()

if(EXISTS "${main_source}")
  add_executable(awaitc "${main_source}")
  target_link_libraries(awaitc PRIVATE awaitc_tool)
  target_compile_definitions(awaitc PRIVATE "AWAITC_VERSION=\"${PROJECT_VERSION}\"")
else()
  message(STATUS "analyzer/tool/main.c is missing: bin/awaitc is not built")
endif()
