/** What the URL asked for and the page could not do. */
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
