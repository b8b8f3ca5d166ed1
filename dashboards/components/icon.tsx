/** Line icons on a 16-pixel grid, in the colour of the text. They decorate words and never replace them. */
const paths = {
  chevron: 'M4 6.5 8 10.5 12 6.5',
  close: 'M4.5 4.5 11.5 11.5M11.5 4.5 4.5 11.5',
  person: 'M8 7.75a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5ZM3 13.5c.4-2.6 2.3-4 5-4s4.6 1.4 5 4',
  more: 'M3.5 8h.01M8 8h.01M12.5 8h.01',
  download: 'M8 2.5v7.5M4.75 7 8 10.25 11.25 7M3 13h10',
  light:
    'M8 10.75a2.75 2.75 0 1 0 0-5.5 2.75 2.75 0 0 0 0 5.5ZM8 1.5v1.25M8 13.25v1.25M1.5 8h1.25M13.25 8h1.25M3.4 3.4l.9.9M11.7 11.7l.9.9M12.6 3.4l-.9.9M4.3 11.7l-.9.9',
  dark: 'M13 9.5A5.5 5.5 0 0 1 6.5 3a5.5 5.5 0 1 0 6.5 6.5Z',
  auto: 'M8 2.5a5.5 5.5 0 1 0 0 11zM8 2.5a5.5 5.5 0 0 1 0 11',
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
