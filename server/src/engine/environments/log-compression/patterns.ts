/** What the reference compressor knows about logs in general. It is told nothing of the record that it compresses. */

/** Lines of which nothing may get lost: somebody would look for these words. */
export const SIGNAL =
  /\berr(?:or)?\b|ERR!|error|exception|fail(?:ed|ure)|fatal|panic|cannot|refused|denied|critical|timed out|timeout|exceeded|killed|rejected|aborted|unreachable|not found|no such|no live|lost\b|crashloop/i;

/** Lines that say that all is well, or say more than anybody reads. */
export const NOISE =
  /\bDEBUG\b|\bTRACE\b|debug|silly|verbose|timing|heartbeat|health|readyz|cache (?:hit|miss)|UP-TO-DATE|NO-SOURCE|\bDownload|Compiling|Checking|Fresh |^\S*\s+at \S|\.\.\. \d+ more|PASS|SKIPPED|✓|\[ *\d+%\]|##\[(?:end)?group\]|npm WARN|CACHED|DONE|sha256:|transferring|Get:|" (?:200|201|304) |GET (?:\S+ )?200 |: Started |Scheduled restart|Reached target|CMD \(|span=|trace\[/;

/** What stands in front of a line, whatever the kind of log: a time, a request id, a line number. */
export const PREFIX =
  /^\s*(?:\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}:\d{2}(?:[.,]\d+)?Z?|\d{1,2}:\d{2}:\d{2}(?:[.,]\d+)?|req-[\w-]+\s*:?|(?:line\s+)?\d+\s*[:|])\s*/;
