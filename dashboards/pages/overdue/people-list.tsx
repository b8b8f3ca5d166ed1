import type { LateAssignment, LateGroup, LatePerson, Overdue } from '../../../reporting/statements/overdue.ts'
import { Icon } from '../../components/icon.tsx'
import { CountCell } from '../../components/count-cell.tsx'
import { ObjectLinks, PersonLink } from '../../components/people.tsx'
import type { PageContext } from '../../page-context.ts'
import { counted } from '../../../language/format.ts'
import { toAddressed, toMailLinks } from './mail-links.ts'
import { daysLate, groupName, personName } from './words.ts'
import { overdueHref } from './links.ts'
import { rowsHref } from '../../scope/page-url.ts'
import type { Listed } from './list-groups.ts'
import { t } from '../../../language/translate.ts'

export type PeopleListProps = {
  context: PageContext
  rowParams: URLSearchParams
  overdue: Overdue
  listed: Listed
  /** By person. */
  late: ReadonlyMap<string, LateAssignment[]>
}

/** The late people, manager by manager: what of theirs is late, for how long, and how to reach them. */
export function PeopleList({ context, rowParams, overdue, listed, late }: PeopleListProps) {
  return (
    <>
      {listed.groups.map(({ group, shown }, index) => (
        <section class="late-group" aria-labelledby={`group-${index}`}>
          <GroupHead context={context} overdue={overdue} group={group} index={index} />
          <PeopleTable
            context={context}
            rowParams={rowParams}
            overdue={overdue}
            group={group}
            people={shown}
            late={late}
          />
          {group.people.length > shown.length && listed.groupCount > 1 ? (
            <p class="more">
              <a href={`${overdueHref(context.params, overdue.answer.as_of, { list: toList(group) })}#people`}>
                {t('Show all {persons}', {
                  persons: counted(context.format, group.people.length, 'person', 'people'),
                })}
              </a>
            </p>
          ) : null}
        </section>
      ))}
    </>
  )
}

export function toList({ id }: LateGroup): { kind: 'without_manager' } | { kind: 'manager'; id: string } {
  return id === '' ? { kind: 'without_manager' } : { kind: 'manager', id }
}

type GroupProps = { context: PageContext; overdue: Overdue; group: LateGroup; index: number }

function GroupHead({ context, overdue, group, index }: GroupProps) {
  const { format } = context
  const name = groupName(group, 'manager')
  return (
    <div class="late-group-head">
      <div>
        <h3 id={`group-${index}`}>
          {group.id === '' ? name : <ObjectLinks context={context} path="/managers" of={[[group.id, name]]} />}
        </h3>
        <p class="quiet">
          {t('{people}, {assignments}; the longest {days}', {
            people: counted(format, group.people.length, 'person', 'people'),
            assignments: counted(format, group.overdue, 'overdue assignment'),
            days: daysLate(group.most_days, format),
          })}
        </p>
      </div>
      <Contacts context={context} overdue={overdue} group={group} index={index} />
    </div>
  )
}

/** More addresses than this are for the CSV. */
const mostAddresses = 500

/** The addresses of a whole group, to copy or to write to. Without a script they are there to be selected. */
function Contacts({ context, overdue, group, index }: GroupProps) {
  const { format, params } = context
  const { addresses, without } = toAddressed(group.people)
  const listed = addresses.slice(0, mostAddresses)
  const links = toMailLinks(listed, t('Overdue assignments'))
  const id = `addresses-${index}`
  return (
    <div class="contacts">
      {listed.length === 0 ? null : (
        <>
          <button type="button" class="pill needs-script" data-copy={id} hidden>
            {t('Copy {n, plural, one {# address} other {# addresses}}', { n: listed.length })}
          </button>
          {(links ?? []).map(({ href, from, to }) => (
            <a class="pill" href={href}>
              {(links ?? []).length === 1
                ? to === 1
                  ? t('E-mail this person')
                  : t('E-mail all {n}', { n: format.count(to) })
                : t('E-mail {from}–{to}', { from: format.count(from), to: format.count(to) })}
              <span class="visually-hidden"> {t('of {group}', { group: groupName(group, 'manager') })}</span>
            </a>
          ))}
        </>
      )}
      <a class="pill" href={overdueHref(params, overdue.answer.as_of, { path: '/overdue/print', list: toList(group) })}>
        {t('Print this list')}
        <span class="visually-hidden"> {t('for {group}', { group: groupName(group, 'manager') })}</span>
      </a>
      {listed.length === 0 && without.length === 0 ? null : (
        <details class="behind addresses">
          <summary>
            <Icon name="chevron" />
            {listed.length === 0 ? t('No address') : counted(format, listed.length, 'address', 'addresses')}
          </summary>
          {links === null ? (
            <p class="quiet">{t('Too many for a link: copy them, or take them from the CSV.')}</p>
          ) : null}
          {addresses.length > listed.length ? (
            <p class="quiet">
              {t('The first {n} of {all}; the CSV has all.', {
                n: format.count(listed.length),
                all: format.count(addresses.length),
              })}
            </p>
          ) : null}
          <p id={id} class="address-list">
            {listed.join('; ')}
          </p>
          {without.length === 0 ? null : <p class="quiet">{withoutWords(without, context)}</p>}
        </details>
      )}
    </div>
  )
}

const mostNames = 10

function withoutWords(without: readonly LatePerson[], { format }: PageContext): string {
  const names = without.slice(0, mostNames).map(personName).join(', ')
  const more = without.length > mostNames ? t(' and {n} more', { n: format.count(without.length - mostNames) }) : ''
  return t('{n, plural, one {# person has} other {# people have}} no usable address: {names}{more}.', {
    n: without.length,
    names,
    more,
  })
}

type PeopleTableProps = {
  context: PageContext
  rowParams: URLSearchParams
  overdue: Overdue
  group: LateGroup
  people: readonly LatePerson[]
  late: ReadonlyMap<string, LateAssignment[]>
}

export function PeopleTable({ context, rowParams, overdue, group, people, late }: PeopleTableProps) {
  const { format } = context
  const name = groupName(group, 'manager')
  return (
    <div class="scroll" tabindex={0} role="group" aria-label={t('Late people, {name}', { name })}>
      <table class="late-people">
        <thead>
          <tr>
            <th scope="col">{t('Person')}</th>
            <th scope="col" class="number">
              {t('Overdue')}
            </th>
            <th scope="col">{t('Assignments and days late')}</th>
          </tr>
        </thead>
        <tbody>
          {people.map((person) => (
            <tr>
              <th scope="row">
                {person.user_id === '' ? (
                  personName(person)
                ) : (
                  <PersonLink context={context} id={person.user_id} name={person.name} />
                )}
              </th>
              <CountCell
                n={person.overdue}
                href={
                  person.user_id === ''
                    ? null
                    : rowsHref(rowParams, overdue.answer.as_of, { fact: 'overdue', user: person.user_id })
                }
                what={t('overdue, {person}', { person: personName(person) })}
                format={format}
              />
              <td>
                <LateList context={context} person={person} late={late.get(person.user_id) ?? []} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function LateList({
  context,
  person,
  late,
}: {
  context: PageContext
  person: LatePerson
  late: readonly LateAssignment[]
}) {
  const { format } = context
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
