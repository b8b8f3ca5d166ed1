import type { ObjectKind } from '../../url/object-url.ts'

type Words = { noun: string; all: string; question: string; empty: string; unknown: string }

export const objectWords: Record<ObjectKind, Words> = {
  challenge: {
    noun: 'Challenge',
    all: 'Challenges',
    question: 'Which challenge is the problem?',
    empty: 'Nobody has this challenge in this scope.',
    unknown: 'No challenge with this id has ever been sent.',
  },
  team: {
    noun: 'Team',
    all: 'Teams',
    question: 'Which team needs help?',
    empty: 'Nobody in this team has an assignment in this scope.',
    unknown: 'No team with this id has ever been sent.',
  },
  manager: {
    noun: 'Manager',
    all: 'Managers',
    question: 'Whose people are late?',
    empty: 'Nobody below this person has an assignment in this scope.',
    unknown: 'No person with this id has ever been sent.',
  },
}
