/** The pages in the order of a training manager's day. A page in this table is in the navigation, the shortcuts and the search. */
import type { Message } from '../language/translate.ts'

export type PageEntry = {
  path: string
  name: Message
  /** The shortcut: `g`, then this letter. */
  key: string
  /**
   * What a training manager does every day, or what one looks up. `behind`: where numbers lead; not in the bar of wide
   * pages, which has room for about a dozen.
   */
  group: 'daily' | 'more' | 'behind'
  /** The question that the page answers: found by the search. */
  question: Message
}

export const pages: readonly PageEntry[] = [
  { path: '/', name: 'Overview', key: 'o', group: 'daily', question: 'Are people finishing on time?' },
  { path: '/learners', name: 'Learners', key: 'l', group: 'daily', question: 'Who is behind, and with what?' },
  {
    path: '/assignments',
    name: 'Assignments',
    key: 'a',
    group: 'behind',
    question: 'Which assignments make up a number?',
  },
  { path: '/overdue', name: 'Overdue', key: 'u', group: 'daily', question: 'Who is late?' },
  {
    path: '/grading',
    name: 'Grading',
    key: 'r',
    group: 'daily',
    question: 'What waits for a grade, and for how long?',
  },
  { path: '/challenges', name: 'Challenges', key: 'c', group: 'daily', question: 'Which challenge is the problem?' },
  { path: '/teams', name: 'Teams', key: 't', group: 'daily', question: 'Which team needs help?' },
  { path: '/guides', name: 'Guides', key: 'g', group: 'daily', question: 'Which guides are assigned and completed?' },
  {
    path: '/data',
    name: 'Data',
    key: 'd',
    group: 'more',
    question: 'What does each column mean, and how do I connect?',
  },
  { path: '/changes', name: 'Changes', key: 'n', group: 'more', question: 'What changed since Monday?' },
  { path: '/health', name: 'Health', key: 'h', group: 'more', question: 'Does data arrive, complete and valid?' },
  { path: '/digest', name: 'Digest', key: 'i', group: 'behind', question: 'What comes to me by mail, and when?' },
  { path: '/access', name: 'Access', key: 'w', group: 'behind', question: 'Who may see what, and who did what?' },
  { path: '/views', name: 'Views', key: 'v', group: 'behind', question: 'Which pages with filters did I save?' },
  { path: '/setup', name: 'Setup', key: 's', group: 'more', question: 'How does data arrive, and does it?' },
  { path: '/help', name: 'Help', key: 'p', group: 'more', question: 'What does each number mean?' },
]

/** Pages of one object belong to the page of all: `/teams/7` to Teams. Managers lead groups of people, as teams are. */
export function isCurrentPage(page: PageEntry, path: string): boolean {
  if (page.path === '/teams' && /^\/managers(\/|$)/.test(path)) return true
  return path === page.path || (page.path !== '/' && path.startsWith(`${page.path}/`))
}
