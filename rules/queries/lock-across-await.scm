; id: awaitc-lock-across-await
; severity: warning
; message: a thread lock is held at this await: another task of the thread that wants it blocks the thread, maybe for ever
; when: fallback

((unary_expression) @report
  (#match? @report "^(aw_)?await\\b")
  (#in-async? @report)
  (#held? @report
    "pthread_mutex_lock" "pthread_mutex_unlock"
    "pthread_spin_lock" "pthread_spin_unlock"
    "mtx_lock" "mtx_unlock"
    "uv_mutex_lock" "uv_mutex_unlock"
    "g_mutex_lock" "g_mutex_unlock"))
