import type { OrgStep } from './org-step.ts'

export const numbered = (lines: readonly string[]): string =>
  lines.map((line, index) => `${String(index + 1).padStart(3)}  ${line}`).join('\n')

export const describeStepsAtOnce = (steps: readonly OrgStep[]): string =>
  ['all at once:', ...steps.map(describeStep)].join('\n       - ')

const said = (fields: object) =>
  Object.entries(fields)
    .map(([field, value]) => `${field}: ${JSON.stringify(value)}`)
    .join(', ')

export function describeStep(step: OrgStep): string {
  const { entity } = step
  switch (step.do) {
    case 'create':
      return `${entity} ${step.id} is created: ${said(step.fields)}`
    case 'upsert':
      return `${entity} ${step.id} is upserted by ${step.matchOn}: ${said(step.fields)}`
    case 'batch':
      return ['in one batch:', ...step.items.map(describeStep)].join('\n       - ')
    case 'write':
      return `${step.id} is changed: ${said(step.fields)}`
    case 'archive':
    case 'restore':
    case 'erase':
      return `${step.id} is ${{ archive: 'archived', restore: 'restored', erase: 'erased' }[step.do]}`
    case 'close':
      return `${step.id} is closed: ${step.status}${step.reason === undefined ? '' : `, because of ${step.reason}`}`
    case 'reopen':
      return `${step.id} is reopened`
    case 'note':
    case 'task':
      return `${step.id} gets ${step.text}`
    case 'merge':
      return [
        `${step.losers.join(', ')} ${step.losers.length > 1 ? 'are' : 'is'} merged into ${step.survivor}`,
        Object.keys(step.choices).length > 0 ? ` with ${said(step.choices)}` : '',
        step.force ? ', by force' : '',
        step.dry ? ', as a dry run' : ` (${step.merges.join(', ')})`,
      ].join('')
    case 'there and back':
      return `${step.losers.join(', ')} merged into ${step.survivor} and undone at once (${step.merges.join(', ')})`
    case 'undo':
    case 'redo':
      return `${step.merge} is ${step.do === 'undo' ? 'undone' : 'redone'}`
    case 'back and there':
      return `${step.merge} is undone and redone at once`
    case 'settings': {
      const days = step.undoDays === undefined ? [] : [`undo_days: ${step.undoDays}`]
      return `settings of ${entity}: ${[said(step.survivorship), ...days].join(', ')}`
    }
    case 'age':
      return `40 days pass for ${step.merge}`
    case 'propose':
      return `the engine proposes to merge ${step.loser} into ${step.survivor} (${step.name})`
    case 'apply':
      return `${step.proposal} is applied (${step.merge})`
    case 'dismiss':
      return `${step.proposal} is dismissed`
  }
}
