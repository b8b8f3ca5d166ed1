/** Pages, in the order of a manager's day. The navigation, menus, tabs, shortcuts, the search and their rights follow from this table. */
import type { Message } from '../language/translate.ts'
import type { Role } from '../services/config/values/roles.ts'

/** `everyone`: also without signing in. */
export type Right = 'everyone' | readonly Role[]

export const owner: Right = ['owner']
/** SQL reads everybody's rows. */
export const analysts: Right = ['owner', 'analyst']
/** Everybody with a role. Rows are narrowed to the people that a manager may see. */
export const anyRole: Right = ['owner', 'analyst', 'manager']
/** People write to the people whom they lead. */
export const leaders: Right = ['owner', 'manager']

export type PageEntry = {
  path: string
  right: Right
  name: Message
  /** The shortcut is `g`, then this letter: the first one of the name, unless a page before has it. */
  key: string
  /** Where it opens from: the bar, the menu Admin, or the menu of the reader. Default: another page, or its own place in the frame. */
  menu?: 'bar' | 'admin' | 'account'
  /** The place in the bar that it belongs to, as a tab; a page under Home is none. */
  under?: string
  /** `list`: one file, PATH.csv. Default: PATH/BLOCK.csv for a page with filters. */
  files?: 'list' | 'none'
  /** The question that the page answers. The search finds it. */
  question: Message
}

export const pages: readonly PageEntry[] = [
  { path: '/', right: anyRole, name: 'Home', key: 'h', menu: 'bar', question: 'Are people on time?' },
  { path: '/overdue', right: anyRole, name: 'Overdue', key: 'o', menu: 'bar', question: 'Who is overdue?' },
  {
    path: '/grading',
    right: anyRole,
    name: 'Grading',
    key: 'g',
    menu: 'bar',
    question: 'What is waiting for a grade?',
  },
  {
    path: '/learners',
    right: anyRole,
    name: 'People',
    key: 'p',
    menu: 'bar',
    files: 'list',
    question: 'Who is behind?',
  },
  {
    path: '/assignments',
    right: anyRole,
    name: 'Assignments',
    key: 'a',
    under: '/learners',
    files: 'none',
    question: 'Which assignments make up a number?',
  },
  {
    path: '/teams',
    right: anyRole,
    name: 'Teams',
    key: 't',
    menu: 'bar',
    files: 'list',
    question: 'Which team needs help?',
  },
  {
    path: '/managers',
    right: anyRole,
    name: 'Managers',
    key: 'm',
    under: '/teams',
    files: 'list',
    question: 'Which managers have overdue people?',
  },
  {
    path: '/challenges',
    right: anyRole,
    name: 'Challenges',
    key: 'c',
    menu: 'bar',
    files: 'list',
    question: 'Which challenge is the problem?',
  },
  {
    path: '/guides',
    right: anyRole,
    name: 'Guides',
    key: 'u',
    under: '/challenges',
    question: 'Which guides are assigned and completed?',
  },
  {
    path: '/changes',
    right: anyRole,
    name: 'Changes',
    key: 'w',
    under: '/',
    question: 'What changed since Monday?',
  },
  {
    path: '/health',
    right: owner,
    name: 'Health',
    key: 'e',
    menu: 'admin',
    question: 'Does data arrive, complete and valid?',
  },
  {
    path: '/setup',
    right: owner,
    name: 'Setup',
    key: 's',
    menu: 'admin',
    question: 'How does data arrive, and does it?',
  },
  {
    path: '/data',
    right: analysts,
    name: 'Data',
    key: 'd',
    menu: 'admin',
    question: 'What does each column mean, and how do I connect?',
  },
  {
    path: '/access',
    right: owner,
    name: 'Access',
    key: 'r',
    menu: 'admin',
    question: 'Who may see what, and who did what?',
  },
  {
    path: '/digest',
    right: anyRole,
    name: 'Mails',
    key: 'i',
    menu: 'account',
    question: 'What comes to me by mail, and when?',
  },
  {
    path: '/views',
    right: anyRole,
    name: 'Saved views',
    key: 'v',
    menu: 'account',
    question: 'Which pages with filters did I save?',
  },
  {
    path: '/notes',
    right: leaders,
    name: 'Notes',
    key: 'n',
    menu: 'account',
    question: 'What happened on a day, for all who see a chart?',
  },
  { path: '/help', right: anyRole, name: 'Help', key: 'l', question: 'What does each number mean?' },
]

export function isOf(place: string, path: string): boolean {
  return path === place || (place !== '/' && path.startsWith(`${place}/`))
}

/** Pages of one object belong to the page of all: `/teams/7` to Teams. */
export function isCurrentPage(page: PageEntry, path: string): boolean {
  return (
    isOf(page.path, path) ||
    pages.some(({ under, path: tabPath }) => under === page.path && isOf(tabPath, path))
  )
}

/** The tabs of the place whose page this is; none where the place has one page only. */
export function tabsOf(path: string): PageEntry[] {
  const placeOf = (page: PageEntry) => (page.under === '/' ? page.path : (page.under ?? page.path))
  const place = pages.filter((page) => page.path === path).map(placeOf)[0]
  return pages.filter((page) => placeOf(page) === place)
}

/** Whether a page has numbers of a scope: filters and the moment go along. */
export function hasScope({ menu, under }: PageEntry): boolean {
  return menu === 'bar' || under !== undefined
}
