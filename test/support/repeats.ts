/** The short run of these has every kind of their cases: the others wait for a complete run. */
const repeating =
  /model\/|consumer\/consumer|complete-through|reporting\/(grading|overdue|regrades)|rows-page\.|filter-sets|explain|write-constants|local\/faults/
export const isRepeat = (file: string): boolean =>
  process.env['ROLLCALL_TEST_COMPLETE'] !== '1' && repeating.test(file)
