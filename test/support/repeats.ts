/** The short run of these has every kind of their cases: the others wait for a complete run, or one that writes golden answers. */
const repeating =
  /golden\/|model\/|consumer\/consumer|complete-through|coarse\/company|reporting\/(grading|overdue|regrades)|rows-page\.|differences|filter-sets|explain|write-constants|lost-events|local\/faults|kafka\/contract/
const takesAll = process.env['ROLLCALL_TEST_COMPLETE'] === '1' || process.env['ROLLCALL_GOLDEN'] === 'write'

export const isRepeat = (file: string): boolean => !takesAll && repeating.test(file)
