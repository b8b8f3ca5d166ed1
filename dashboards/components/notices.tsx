/** What was asked for in the URL and could not be done: the rest of the page still holds. */
export function Notices({ notices }: { notices: string[] }) {
  if (notices.length === 0) return null
  return (
    <ul class="notices" role="note">
      {notices.map((notice) => (
        <li>{notice}</li>
      ))}
    </ul>
  )
}
