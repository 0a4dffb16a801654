"""Requests: the `messages` array that each reply of a session answered, and the one that comes next.

    payloads = Payloads(session)                    # or with_messages=False: counts alone
    for reply in replies(session):                  # each message.id once, in file order
        payloads.of(reply)                          # -> Payload(source, verified, messages, counts, …)
    payloads.next()                                 # what would be sent now
    before_compaction(session, 1)                   # the requests around a boundary
    after_compaction(session, 1)
    compaction_call(session, 1)                     # the request that made the summary

Two ways lead to a payload. *Logged*: clients from 2.1.300 on write down, for each request, the
hashes of its messages (`requests`); each hash is met by its message (`derived`) and thereby verified
(`canonical`, `logged`). *Rebuilt*: all others are put together as the client does it: the way back
from the reply, over kept messages (`relink`), whole turns (`turns`, `processes`), what each record
contributes (`items`, `attachments`), attachments moved and neighbours merged (`merging`). Both keep
their work from one request to the next, so that all requests of a file cost one pass over it, and
memory holds one request at a time. `counts` weighs, `asking` and `calls` put the questions.

How far it is right
-------------------
Measured against the recorded requests that lie beside the checkout, reminders aside:

=========  ==================  ===================  ===============================================
client     main requests       summary requests     attachments
=========  ==================  ===================  ===============================================
2.1.11     132 of 132          9 of 9               written nowhere
2.1.59     93 of 94            7 of 8               written nowhere
2.1.89     61 of 61            11 of 11             written nowhere
2.1.181    150 of 150          15 of 15             as data, their words put together here
2.1.332    138 of 138          10 of 12             as sent; with logged requests: equal to the byte
=========  ==================  ===================  ===============================================

What stands in no row, and is named in `unknown`, in the requests around a compaction (blocks in how many
requests, share of all bytes sent): 2.1.11 10 in 18, 7 % (reminders, files read again); 2.1.59 24 in 17, 15 %;
2.1.89 44 in 23, 38 % (the list of skills is a reminder there); 2.1.181 31 in 31, 4 % (date and memory files)
and 8, 2 % (words around open tasks); 2.1.332 none. `tests/unit/test_compaction_bodies.py` prints the table.

In 2.1.332, with the log put aside, 131 of the 138 are equal in every word, order and seam too. What
still differs:

- 2.1.59: images of an earlier prompt were once sent as the word `[image]`, and all images in the
  request for a summary (`images`).
- 2.1.332: two summaries made because a request was refused as too long were asked for without the
  messages that the rule puts back, or without the oldest ones; no record tells which.
- 2.1.332: notifications of background tasks are framed by words that only the log holds
  (`notification_frame`); empty system messages that carry an effort stand in the log alone
  (`effort_marks`).
- 2.1.181: the reminder with date and memory files is in no record (`context_reminder`); the words
  around open tasks, the note on running agents together, and that on a file too large to be read
  again are not in the file (`attachment_wording`).
- Up to 2.1.89: no reminder is in any record, those inside tool results included (`reminders`);
  2.1.11 may have sent old results as placeholders (`micro_compacted`).
- 2.1.11 and 2.1.59 forget parallel calls of an earlier process. A print-mode process is known by
  its `dequeue` row; one that was given several prompts looks like several, so that calls of its
  own earlier prompts are left out too.
- A fork's copies of kept messages name a parent behind the boundary; what their own requests held
  stands in the file that was forked (`history`).
"""

from ccbrowse.core.payload.asking import (
    Payloads,
    after_compaction,
    all_payloads,
    before_compaction,
    next_payload,
    payload_of,
    reply_after,
    reply_before,
)
from ccbrowse.core.payload.calls import compaction_call
from ccbrowse.core.payload.model import Counts, Message, Payload, PayloadSource, Reply, Unknown
from ccbrowse.core.payload.replies import replies, reply_of

__all__ = [
    "Counts",
    "Message",
    "Payload",
    "PayloadSource",
    "Payloads",
    "Reply",
    "Unknown",
    "after_compaction",
    "all_payloads",
    "before_compaction",
    "compaction_call",
    "next_payload",
    "payload_of",
    "replies",
    "reply_after",
    "reply_before",
    "reply_of",
]
