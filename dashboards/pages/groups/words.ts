import type { Message } from '../../../language/translate.ts'
import type { ObjectKind } from '../../components/group-url.ts'

type Words = Record<
  'noun' | 'all' | 'question' | 'empty' | 'unknown' | 'none' | 'showAll' | 'allOf' | 'noSuch',
  Message
>

export const objectWords: Record<ObjectKind, Words> = {
  challenge: {
    none: 'No challenge in this scope.',
    showAll: 'Show all challenges',
    allOf: 'All challenges',
    noSuch: 'There is no challenge “{id}”',
    noun: 'Challenge',
    all: 'Challenges',
    question: 'Which challenge is the problem?',
    empty: 'Nobody has this challenge in this scope.',
    unknown: 'No challenge with this id has ever been sent.',
  },
  team: {
    none: 'No team in this scope.',
    showAll: 'Show all teams',
    allOf: 'All teams',
    noSuch: 'There is no team “{id}”',
    noun: 'Team',
    all: 'Teams',
    question: 'Which team needs help?',
    empty: 'Nobody in this team has an assignment in this scope.',
    unknown: 'No team with this id has ever been sent.',
  },
  manager: {
    none: 'No manager in this scope.',
    showAll: 'Show all managers',
    allOf: 'All managers',
    noSuch: 'There is no manager “{id}”',
    noun: 'Manager',
    all: 'Managers',
    question: 'Who is late?',
    empty: 'Nobody below this person has an assignment in this scope.',
    unknown: 'No person with this id has ever been sent.',
  },
}
