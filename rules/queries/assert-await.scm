; id: awaitc-assert-await
; severity: warning
; message: '{macro}' drops its argument in some builds, and the await in it with it; await first, then check the result
;; Which macros do so is read from their #define lines in the file; of assert and its kin it is known.

((call_expression
   function: (identifier) @macro) @report
  (#has-await? @report)
  (#drops-await? @report))

((call_expression
   function: (identifier) @macro) @report
  (#has-await? @report)
  (#repeats-await? @report)
  (#set! message "'{macro}' uses its argument more than once, so the await in it runs more than once; await first, into a variable"))
