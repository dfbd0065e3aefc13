; id: awaitc-nested-loop
; severity: warning
; message: '{callee}' runs an event loop inside an async function: the thread's other tasks stop until it returns; await the work itself
; when: fallback

((call_expression
   function: (identifier) @callee) @report
  (#any-of? @callee
    "aw_block_on" "aw_runtime_block_on"
    "uv_run" "event_base_dispatch" "event_base_loop" "event_dispatch" "ev_run" "ev_loop"
    "g_main_loop_run" "g_main_context_iteration" "sd_event_loop" "sd_event_run" "gtk_main")
  (#in-async? @report)
  (#not-argument-of? @report "aw_blocking" "aw_compute"))
