import { apiPages } from '../.vitepress/api-pages.ts'

export default { paths: () => apiPages().map(({ area, content }) => ({ params: { area }, content })) }
