/** Line icons on a 16-pixel grid, in the colour of the text. They decorate words and never replace them. */
const paths = {
  chevron: 'M4 6.5 8 10.5 12 6.5',
  close: 'M4.5 4.5 11.5 11.5M11.5 4.5 4.5 11.5',
  calendar: 'M3 6.5h10M5.5 2.5v2M10.5 2.5v2M3 4h10v9.5H3z',
  clock: 'M8 13.5a5.5 5.5 0 1 0 0-11 5.5 5.5 0 0 0 0 11ZM8 5v3.25l2 1.5',
  compare: 'M3 11.5 6.5 7l2.5 2.5L13 4.5M10 4.5h3v3',
  people:
    'M6 7.5a2.25 2.25 0 1 0 0-4.5 2.25 2.25 0 0 0 0 4.5ZM2 13c.3-2.3 1.9-3.5 4-3.5s3.7 1.2 4 3.5M10.5 3.3a2.25 2.25 0 0 1 0 4M11.6 9.8c1.4.5 2.2 1.6 2.4 3.2',
  person: 'M8 7.75a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5ZM3 13.5c.4-2.6 2.3-4 5-4s4.6 1.4 5 4',
  gear: 'M8 10a2 2 0 1 0 0-4 2 2 0 0 0 0 4ZM8 1.75v2M8 12.25v2M1.75 8h2M12.25 8h2M3.6 3.6 5 5M11 11l1.4 1.4M12.4 3.6 11 5M5 11l-1.4 1.4',
  more: 'M3.5 8h.01M8 8h.01M12.5 8h.01',
  flag: 'M4 13.5v-11M4 3h8l-2 3 2 3H4',
  filter: 'M2.5 4h11M4.5 8h7M6.5 12h3',
  download: 'M8 2.5v7.5M4.75 7 8 10.25 11.25 7M3 13h10',
  print: 'M4.5 6V2.5h7V6M4.5 11.5H2.5V6h11v5.5h-2M4.5 9.5h7v4h-7z',
  light:
    'M8 10.75a2.75 2.75 0 1 0 0-5.5 2.75 2.75 0 0 0 0 5.5ZM8 1.5v1.25M8 13.25v1.25M1.5 8h1.25M13.25 8h1.25M3.4 3.4l.9.9M11.7 11.7l.9.9M12.6 3.4l-.9.9M4.3 11.7l-.9.9',
  dark: 'M13 9.5A5.5 5.5 0 0 1 6.5 3a5.5 5.5 0 1 0 6.5 6.5Z',
  auto: 'M8 2.5a5.5 5.5 0 1 0 0 11zM8 2.5a5.5 5.5 0 0 1 0 11',
  arrow: 'M3.5 8h9M9 4.5 12.5 8 9 11.5',
  tick: 'M3 8.5 6.5 12 13 4.5',
  alert: 'M8 2 14.5 13.5H1.5ZM8 6.5v3.25M8 11.75h.01',
  search: 'M7 11.5a4.5 4.5 0 1 0 0-9 4.5 4.5 0 0 0 0 9ZM10.3 10.3 13.5 13.5',
  back: 'M10 3.5 5.5 8l4.5 4.5',
  forward: 'M6 3.5 10.5 8 6 12.5',
} as const

export type IconName = keyof typeof paths

export function Icon({ name }: { name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 16 16" aria-hidden="true" focusable="false">
      <path d={paths[name]} />
    </svg>
  )
}
