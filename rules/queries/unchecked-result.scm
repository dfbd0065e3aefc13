; id: awaitc-unchecked-result
; severity: warning
; message: the result of '{callee}' is dropped, and with it the error; check it, or write '(void)await ...'
; when: fallback

((expression_statement
   (unary_expression
     argument: (call_expression function: (identifier) @callee)) @report)
  (#has-await? @report)
  (#any-of? @callee
    "aw_read" "aw_write" "aw_write_all" "aw_accept" "aw_tcp_connect" "aw_join" "aw_try_all"
    "aw_timeout" "aw_scope_wait" "aw_scope_spawn"))
