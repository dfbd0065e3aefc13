; id: awaitc-blocking-call
; severity: warning
; message: '{callee}' may block the thread, and every task on it with it; run it on the blocking pool
; fix: await aw_blocking({report})
; when: fallback

;; Only functions that wait by design, whatever their arguments are. Better counterparts come first.

((call_expression
   function: (identifier) @callee
   arguments: (argument_list . (_) @seconds .)) @report
  (#eq? @callee "sleep")
  (#in-async? @report)
  (#not-argument-of? @report "aw_blocking" "aw_compute")
  (#set! message "'sleep' blocks the thread, and every task on it with it; use 'await aw_sleep_ms'")
  (#set! fix "await aw_sleep_ms(({seconds}) * 1000)"))

((call_expression
   function: (identifier) @callee
   arguments: (argument_list . (_) @microseconds .)) @report
  (#eq? @callee "usleep")
  (#in-async? @report)
  (#not-argument-of? @report "aw_blocking" "aw_compute")
  (#set! message "'usleep' blocks the thread, and every task on it with it; use 'await aw_sleep_us'")
  (#set! fix "await aw_sleep_us({microseconds})"))

((call_expression
   function: (identifier) @callee) @report
  (#any-of? @callee
    "nanosleep" "clock_nanosleep" "thrd_sleep" "pause" "sigsuspend" "sigwait" "sigwaitinfo"
    "system" "pclose" "wait" "wordexp"
    "getaddrinfo" "getnameinfo" "gethostbyname" "gethostbyname2" "gethostbyaddr"
    "fsync" "fdatasync" "sync" "syncfs" "ftw" "nftw"
    "sem_wait" "cnd_wait" "pthread_cond_wait" "pthread_join" "thrd_join" "pthread_barrier_wait"
    "pselect" "ppoll" "tcdrain" "getpass")
  (#in-async? @report)
  (#not-argument-of? @report "aw_blocking" "aw_compute"))
