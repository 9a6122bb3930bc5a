/**
 * Joins the Prometheus text of several processes. Prometheus refuses a metric that is described twice, so the samples
 * of all processes follow one description. Their labels must differ.
 */
export function joinMetrics(texts: readonly string[]): string {
  const joined = new Map<string, { description: string[]; samples: string[] }>()
  for (const block of texts.flatMap((text) => text.trim().split('\n\n'))) {
    const lines = block.split('\n')
    const description = lines.filter((line) => line.startsWith('#'))
    const name = description[0]?.split(' ')[2]
    if (name === undefined) continue
    const metric = joined.get(name) ?? { description, samples: [] }
    metric.samples.push(...lines.filter((line) => !line.startsWith('#')))
    joined.set(name, metric)
  }
  const blocks = [...joined.values()].map(({ description, samples }) =>
    [...description, ...samples].join('\n'),
  )
  return `${blocks.join('\n\n')}\n`
}
