; id: awaitc-missing-await
; severity: error
; message: '{callee}' is async: without 'await' nothing happens
; fix: await {report}
; when: fallback

;; Only the runtime's own leaves: of other functions the text of one file does not tell enough.

((expression_statement
   (call_expression function: (identifier) @callee) @report)
  (#any-of? @callee
    "aw_yield" "aw_park" "aw_sleep_ns" "aw_sleep_us" "aw_sleep_ms" "aw_sleep_until" "aw_join"
    "aw_scope_wait" "aw_read" "aw_write" "aw_write_all" "aw_accept" "aw_tcp_connect"
    "aw_all" "aw_try_all" "aw_race" "aw_timeout" "aw_blocking" "aw_compute" "aw_scope_spawn")
  (#in-async? @report))
