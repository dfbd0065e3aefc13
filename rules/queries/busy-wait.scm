; id: awaitc-busy-wait
; severity: warning
; message: this loop does nothing but wait until '{condition}' changes; let what changes it wake the task (aw_waker_get, aw_park)
; when: fallback

;; Calls and assignments in a condition may do work: such a loop may be a retry, and is left alone.

([
   (while_statement
     condition: (parenthesized_expression (_) @condition)
     body: (expression_statement (unary_expression argument: (call_expression function: (identifier) @wait)) @report))
   (for_statement
     !initializer
     !update
     condition: (_) @condition
     body: (expression_statement (unary_expression argument: (call_expression function: (identifier) @wait)) @report))
 ]
 (#has-await? @report)
 (#not-match? @condition "\\w\\s*\\(|\\+\\+|--|[^=!<>]=[^=]|^[0-9a-z]*true$|^[0-9]+$")
 (#any-of? @wait "aw_yield" "aw_sleep_ns" "aw_sleep_us" "aw_sleep_ms"))

([
   (while_statement
     condition: (parenthesized_expression (_) @condition)
     body: (compound_statement
       (expression_statement (unary_expression argument: (call_expression function: (identifier) @wait)) @report) @statement))
   (do_statement
     body: (compound_statement
       (expression_statement (unary_expression argument: (call_expression function: (identifier) @wait)) @report) @statement)
     condition: (parenthesized_expression (_) @condition))
   (for_statement
     !initializer
     !update
     condition: (_) @condition
     body: (compound_statement
       (expression_statement (unary_expression argument: (call_expression function: (identifier) @wait)) @report) @statement))
 ]
 (#only-child? @statement)
 (#has-await? @report)
 (#not-match? @condition "\\w\\s*\\(|\\+\\+|--|[^=!<>]=[^=]|^[0-9a-z]*true$|^[0-9]+$")
 (#any-of? @wait "aw_yield" "aw_sleep_ns" "aw_sleep_us" "aw_sleep_ms"))
