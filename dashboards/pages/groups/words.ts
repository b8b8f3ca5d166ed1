import type { Message } from '../../../language/translate.ts'
import type { ObjectKind } from '../../components/group-url.ts'

type Words = Record<
  'noun' | 'all' | 'question' | 'title' | 'unknown' | 'none' | 'showAll' | 'allOf' | 'noSuch',
  Message
>

export const objectWords: Record<ObjectKind, Words> = {
  challenge: {
    noun: 'Challenge',
    all: 'Challenges',
    question: 'Which challenge is the problem?',
    title: '{name}, challenge',
    none: 'No challenge to show.',
    showAll: 'Show all challenges',
    allOf: 'All challenges',
    noSuch: 'There is no challenge “{id}”',
    unknown: 'No challenge with this id has ever been sent.',
  },
  team: {
    noun: 'Team',
    all: 'Teams',
    question: 'Which team needs help?',
    title: '{name}, team',
    none: 'No team to show.',
    showAll: 'Show all teams',
    allOf: 'All teams',
    noSuch: 'There is no team “{id}”',
    unknown: 'No team with this id has ever been sent.',
  },
  manager: {
    noun: 'Manager',
    all: 'Managers',
    question: 'Which managers have overdue people?',
    title: '{name}, manager',
    none: 'No manager to show.',
    showAll: 'Show all managers',
    allOf: 'All managers',
    noSuch: 'There is no manager “{id}”',
    unknown: 'No person with this id has ever been sent.',
  },
}
