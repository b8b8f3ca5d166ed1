import { metricPages } from '../.vitepress/metric-pages.ts'

export default { paths: () => metricPages().map(({ key, content }) => ({ params: { key }, content })) }
