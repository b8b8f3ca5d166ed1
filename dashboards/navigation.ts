/** Pages, in the order of a training manager's day: the navigation, menus, tabs, shortcuts and the search are made of this table. */
import type { Message } from '../language/translate.ts'

export type PageEntry = {
  path: string
  name: Message
  /** The shortcut: `g`, then this letter. */
  key: string
  /**
   * Where it is opened from: the bar, the menu of those who look after Rollcall, the menu of the reader, or another page (`under`).
   * `none`: has its own place in the frame.
   */
  menu: 'bar' | 'office' | 'account' | 'none'
  /** The place in the bar to which it belongs. Left out: it is one, or none. */
  under?: string
  /** Its name among the tabs of a place. Left out: it is not a tab. */
  tab?: Message
  /** The question that the page answers: found by the search. */
  question: Message
}

export const pages: readonly PageEntry[] = [
  { path: '/', name: 'Home', key: 'o', menu: 'bar', question: 'Are people finishing on time?' },
  { path: '/overdue', name: 'Overdue', key: 'u', menu: 'bar', question: 'Who is overdue?' },
  { path: '/grading', name: 'Grading', key: 'r', menu: 'bar', question: 'What is waiting for a grade?' },
  {
    path: '/learners',
    name: 'People',
    tab: 'People',
    key: 'l',
    menu: 'bar',
    question: 'Who is behind?',
  },
  {
    path: '/assignments',
    name: 'Assignments',
    tab: 'Assignments',
    key: 'a',
    menu: 'none',
    under: '/learners',
    question: 'Which assignments make up a number?',
  },
  { path: '/teams', name: 'Teams', tab: 'Teams', key: 't', menu: 'bar', question: 'Which team needs help?' },
  {
    path: '/managers',
    name: 'Managers',
    tab: 'Managers',
    key: 'm',
    menu: 'none',
    under: '/teams',
    question: 'Which managers have overdue people?',
  },
  {
    path: '/challenges',
    name: 'Challenges',
    tab: 'Challenges',
    key: 'c',
    menu: 'bar',
    question: 'Which challenge is the problem?',
  },
  {
    path: '/guides',
    name: 'Guides',
    tab: 'Guides',
    key: 'g',
    menu: 'none',
    under: '/challenges',
    question: 'Which guides are assigned and completed?',
  },
  {
    path: '/changes',
    name: 'Changes',
    key: 'n',
    menu: 'none',
    under: '/',
    question: 'What changed since Monday?',
  },
  {
    path: '/digest',
    name: 'My digest',
    key: 'i',
    menu: 'account',
    question: 'What comes to me by mail, and when?',
  },
  {
    path: '/views',
    name: 'Saved views',
    key: 'v',
    menu: 'account',
    question: 'Which pages with filters did I save?',
  },
  {
    path: '/notes',
    name: 'Notes',
    key: 'e',
    menu: 'account',
    question: 'What happened on a day, for all who see a chart?',
  },
  {
    path: '/data',
    name: 'Data',
    key: 'd',
    menu: 'office',
    question: 'What does each column mean, and how do I connect?',
  },
  {
    path: '/health',
    name: 'Health',
    key: 'h',
    menu: 'office',
    question: 'Does data arrive, complete and valid?',
  },
  { path: '/setup', name: 'Setup', key: 's', menu: 'office', question: 'How does data arrive, and does it?' },
  {
    path: '/access',
    name: 'Access',
    key: 'w',
    menu: 'office',
    question: 'Who may see what, and who did what?',
  },
  { path: '/help', name: 'Help', key: 'p', menu: 'none', question: 'What does each number mean?' },
]

function isOf(place: string, path: string): boolean {
  return path === place || (place !== '/' && path.startsWith(`${place}/`))
}

/** Pages of one object belong to the page of all: `/teams/7` to Teams. */
export function isCurrentPage(page: PageEntry, path: string): boolean {
  return (
    isOf(page.path, path) ||
    pages.some(({ under, path: tabPath }) => under === page.path && isOf(tabPath, path))
  )
}

/** The tabs of the place whose page this is; none where the page is not a tab itself. */
export function tabsOf(path: string): PageEntry[] {
  const tab = pages.find((page) => page.tab !== undefined && page.path === path)
  const place = tab?.under ?? tab?.path
  return tab === undefined
    ? []
    : pages.filter((page) => page.tab !== undefined && (page.under ?? page.path) === place)
}

/** Whether a page has numbers of a scope: filters and the moment go along. */
export function hasScope({ menu, path }: PageEntry): boolean {
  return menu === 'bar' || (menu === 'none' && path !== '/help')
}
