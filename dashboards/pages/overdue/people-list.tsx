import type { LateAssignment, LateGroup, LatePerson, Overdue } from '../../../reporting/statements/overdue.ts'
import { CountCell, rowsOf } from '../../components/count.tsx'
import { challengeName, ObjectLinks, PersonLink } from '../../components/people.tsx'
import { RemindAll, RemindedNote, RemindForm, RemindTick, type Reminded } from '../../components/remind.tsx'
import type { PageContext } from '../../page-context.ts'
import { counted } from '../../../language/format.ts'
import { daysLate, personName } from './words.ts'
import { rowName } from '../../components/figures/findings.ts'
import { overdueHref, toListParams, type Listed } from './links.ts'
import { t } from '../../../language/translate.ts'
import { Listing, numeric } from '../../components/listing.tsx'

export type PeopleListProps = {
  context: PageContext
  overdue: Overdue
  listed: Listed
  /** By person. */
  late: ReadonlyMap<string, LateAssignment[]>
  reminded: ReadonlyMap<string, Reminded>
}

/** The late people, manager by manager: what of theirs is late, for how long, and how to reach them. */
export function PeopleList(props: PeopleListProps) {
  const { context, overdue, listed } = props
  return (
    <>
      {listed.groups.map(({ group, shown }, index) => (
        <section class="late-group" aria-labelledby={`group-${index}`}>
          <GroupHead {...props} group={group} index={index} />
          <RemindForm context={context}>
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

type GroupProps = Pick<PeopleListProps, 'context' | 'overdue'> & { group: LateGroup; index: number }

function GroupHead(props: GroupProps) {
  const { context, group, index } = props
  const { format } = context
  const name = rowName(group, 'manager')
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
function Contacts({ context, overdue, group }: GroupProps) {
  const of = <span class="visually-hidden"> {t('of {group}', { group: rowName(group, 'manager') })}</span>
  return (
    <div class="contacts">
      <RemindAll context={context} n={group.people.length} narrow={toListParams(group.id)}>
        {of}
      </RemindAll>
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
  const name = rowName(group, 'manager')
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
            <PersonLink context={context} id={person.user_id} name={person.name} />
            <RemindedNote context={context} reminded={reminded?.get(person.user_id)} />
          </th>
          <CountCell
            n={person.overdue}
            href={person.user_id === '' ? null : rowsOf(context, { fact: 'overdue', user: person.user_id })}
            what={t('overdue, {name}', { name: personName(person) })}
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
      {late.map((each) => (
        <li>
          <span>{challengeName(each)}</span>{' '}
          <span class="quiet">
            {t('due {day}', { day: format.day(each.due_day) })}
            {each.viewed ? '' : t(', not opened')}
          </span>{' '}
          <b>{daysLate(each.days_overdue, format)}</b>
        </li>
      ))}
      {more > 0 ? <li class="quiet">{t('and {n} more', { n: format.count(more) })}</li> : null}
    </ul>
  )
}
