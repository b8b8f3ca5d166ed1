/** Pages, in the order of a manager's day. The navigation, menus, tabs, shortcuts and the search are made from this table. */
import type { Message } from '../language/translate.ts'

export type PageEntry = {
  path: string
  name: Message
  /** The shortcut is `g`, then this letter: the first one of the name, unless a page before has it. */
  key: string
  /** Where it opens from: the bar, the menu Admin, the menu of the reader, or another page. `none`: it has its own place in the frame. */
  menu: 'bar' | 'admin' | 'account' | 'none'
  /** The place in the bar that it belongs to. Undefined: it is one, or belongs to none. */
  under?: string
  /** Whether it is one of the tabs of its place. Default: no. */
  isTab?: boolean
  /** The question that the page answers. The search finds it. */
  question: Message
}

export const pages: readonly PageEntry[] = [
  { path: '/', name: 'Home', key: 'h', menu: 'bar', question: 'Are people on time?' },
  { path: '/overdue', name: 'Overdue', key: 'o', menu: 'bar', question: 'Who is overdue?' },
  { path: '/grading', name: 'Grading', key: 'g', menu: 'bar', question: 'What is waiting for a grade?' },
  { path: '/learners', name: 'People', key: 'p', menu: 'bar', isTab: true, question: 'Who is behind?' },
  {
    path: '/assignments',
    name: 'Assignments',
    key: 'a',
    menu: 'none',
    under: '/learners',
    isTab: true,
    question: 'Which assignments make up a number?',
  },
  { path: '/teams', name: 'Teams', key: 't', menu: 'bar', isTab: true, question: 'Which team needs help?' },
  {
    path: '/managers',
    name: 'Managers',
    key: 'm',
    menu: 'none',
    under: '/teams',
    isTab: true,
    question: 'Which managers have overdue people?',
  },
  {
    path: '/challenges',
    name: 'Challenges',
    key: 'c',
    menu: 'bar',
    isTab: true,
    question: 'Which challenge is the problem?',
  },
  {
    path: '/guides',
    name: 'Guides',
    key: 'u',
    menu: 'none',
    under: '/challenges',
    isTab: true,
    question: 'Which guides are assigned and completed?',
  },
  {
    path: '/changes',
    name: 'Changes',
    key: 'w',
    menu: 'none',
    under: '/',
    question: 'What changed since Monday?',
  },
  {
    path: '/health',
    name: 'Health',
    key: 'e',
    menu: 'admin',
    question: 'Does data arrive, complete and valid?',
  },
  { path: '/setup', name: 'Setup', key: 's', menu: 'admin', question: 'How does data arrive, and does it?' },
  {
    path: '/data',
    name: 'Data',
    key: 'd',
    menu: 'admin',
    question: 'What does each column mean, and how do I connect?',
  },
  {
    path: '/access',
    name: 'Access',
    key: 'r',
    menu: 'admin',
    question: 'Who may see what, and who did what?',
  },
  {
    path: '/digest',
    name: 'Mails',
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
    key: 'n',
    menu: 'account',
    question: 'What happened on a day, for all who see a chart?',
  },
  { path: '/help', name: 'Help', key: 'l', menu: 'none', question: 'What does each number mean?' },
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
  const tab = pages.find((page) => page.isTab === true && page.path === path)
  const place = tab?.under ?? tab?.path
  return pages.filter((page) => page.isTab === true && (page.under ?? page.path) === place)
}

/** Whether a page has numbers of a scope: filters and the moment go along. */
export function hasScope({ menu, path }: PageEntry): boolean {
  return menu === 'bar' || (menu === 'none' && path !== '/help')
}
