import type { LateAssignment, LateGroup, LatePerson, Overdue } from '../../../reporting/statements/overdue.ts'
import { CountCell, rowsOf } from '../../components/count.tsx'
import { ObjectLinks, PersonLink } from '../../components/people.tsx'
import { mayRemind, RemindedNote, RemindForm, remindHref, RemindTick, type Reminded } from '../../components/remind.tsx'
import type { PageContext } from '../../page-context.ts'
import { counted } from '../../../language/format.ts'
import { daysLate, groupName, personName } from './words.ts'
import { overdueHref, toListParams, type Listed } from './links.ts'
import { t } from '../../../language/translate.ts'
import { Listing, numeric } from '../../components/listing.tsx'

export type PeopleListProps = {
  context: PageContext
  rowParams: URLSearchParams
  overdue: Overdue
  listed: Listed
  /** By person. */
  late: ReadonlyMap<string, LateAssignment[]>
  reminded: ReadonlyMap<string, Reminded>
}

/** The late people, manager by manager: what of theirs is late, for how long, and how to reach them. */
export function PeopleList(props: PeopleListProps) {
  const { context, rowParams, overdue, listed } = props
  return (
    <>
      {listed.groups.map(({ group, shown }, index) => (
        <section class="late-group" aria-labelledby={`group-${index}`}>
          <GroupHead {...props} group={group} index={index} />
          <RemindForm context={context} params={rowParams}>
            <PeopleTable {...props} group={group} people={shown} />
          </RemindForm>
          {group.people.length > shown.length && listed.groupCount > 1 ? (
            <p class="more">
              <a href={`${overdueHref(context, overdue.answer.as_of, { list: group.id })}#people`}>
                {t('Show all {persons}', {
                  persons: counted(context.format, group.people.length, 'person'),
                })}
              </a>
            </p>
          ) : null}
        </section>
      ))}
    </>
  )
}

type GroupProps = Pick<PeopleListProps, 'context' | 'rowParams' | 'overdue'> & { group: LateGroup; index: number }

function GroupHead(props: GroupProps) {
  const { context, group, index } = props
  const { format } = context
  const name = groupName(group, 'manager')
  return (
    <div class="late-group-head">
      <div>
        <h3 id={`group-${index}`}>
          <ObjectLinks context={context} kind="manager" of={[[group.id, name]]} />
        </h3>
        <p class="quiet">
          {t('{people}, {assignments}; the longest {days}', {
            people: counted(format, group.people.length, 'person'),
            assignments: counted(format, group.overdue, 'overdue assignment'),
            days: daysLate(group.most_days, format),
          })}
        </p>
      </div>
      <Contacts {...props} />
    </div>
  )
}

/** The actions on a whole group. */
function Contacts({ context, rowParams, overdue, group }: GroupProps) {
  const { format } = context
  const of = <span class="visually-hidden"> {t('of {group}', { group: groupName(group, 'manager') })}</span>
  const n = group.people.length
  return (
    <div class="contacts">
      {mayRemind(context) ? (
        <a class="pill" href={remindHref(rowParams, toListParams(group.id))}>
          {n === 1 ? t('Remind this person') : t('Remind all {n}', { n: format.count(n) })}
          {of}
        </a>
      ) : null}
      <a class="pill" href={overdueHref(context, overdue.answer.as_of, { path: '/overdue/print', list: group.id })}>
        {t('Print this list')}
        {of}
      </a>
    </div>
  )
}

type PeopleTableProps = {
  context: PageContext
  group: LateGroup
  people: readonly LatePerson[]
  late: ReadonlyMap<string, LateAssignment[]>
  /** `undefined`: nobody can be ticked, as on paper. */
  reminded: ReadonlyMap<string, Reminded> | undefined
}

export function PeopleTable({ context, group, people, late, reminded }: PeopleTableProps) {
  const { format } = context
  const name = groupName(group, 'manager')
  return (
    <Listing
      label={t('Late people, {name}', { name })}
      className="late-people"
      columns={[t('Person'), numeric(t('Overdue')), t('Assignments and days late')]}
      rows={people.map((person) => (
        <tr>
          <th scope="row">
            {reminded === undefined ? null : (
              <RemindTick context={context} id={person.user_id} name={personName(person)} />
            )}
            <PersonLink context={context} id={person.user_id} name={personName(person)} />
            <RemindedNote context={context} reminded={reminded?.get(person.user_id)} />
          </th>
          <CountCell
            n={person.overdue}
            href={person.user_id === '' ? null : rowsOf(context, { fact: 'overdue', user: person.user_id })}
            what={t('overdue, {person}', { person: personName(person) })}
            format={format}
          />
          <td>
            <LateList context={context} person={person} late={late.get(person.user_id) ?? []} />
          </td>
        </tr>
      ))}
    />
  )
}

type LateListProps = { context: PageContext; person: LatePerson; late: readonly LateAssignment[] }

function LateList({ context: { format }, person, late }: LateListProps) {
  const more = person.overdue - late.length
  return (
    <ul class="late-list">
      {late.map(({ challenge, challenge_id, days_overdue, due_day, viewed }) => (
        <li>
          <span>{challenge || challenge_id || t('Unknown challenge')}</span>{' '}
          <span class="quiet">
            {t('due {day}', { day: format.day(due_day) })}
            {viewed ? '' : t(', not opened')}
          </span>{' '}
          <b>{daysLate(days_overdue, format)}</b>
        </li>
      ))}
      {more > 0 ? <li class="quiet">{t('and {n} more', { n: format.count(more) })}</li> : null}
    </ul>
  )
}
