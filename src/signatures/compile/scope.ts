import type { SignatureData } from './signature-data.ts'
import type { ParsedTemplate } from './template.ts'
import { shortenForMessage, type Warnings } from './warnings.ts'

/** Names that no field can replace: a field called `email` is only available as `fields.email`. */
export const ownNames: readonly (keyof SignatureData)[] = [
  'email',
  'display_name',
  'fields',
  'persona',
  'org',
]

/** Returns the names that a template can use. The object has no prototype, so a name reaches nothing else. */
export function scopeOf(data: SignatureData): Record<string, unknown> {
  const scope: Record<string, unknown> = Object.create(null)
  for (const key of Object.keys(data.fields)) scope[key] = data.fields[key]
  for (const name of ownNames) scope[name] = data[name]
  return scope
}

/** Warns about names that the data lacks, if the template uses them without a test. */
export function warnOfUnknownNames({ part, names }: ParsedTemplate, scope: object, warnings: Warnings): void {
  for (const { path, line, isTested } of names) {
    if (!isTested && !hasValue(scope, path)) {
      warnings.add(
        'unknown_name',
        `“${shortenForMessage(path.join('.'))}” is not in the data: nothing is shown there`,
        { part, line },
      )
    }
  }
}

function hasValue(scope: unknown, path: string[]): boolean {
  let value = scope
  for (const name of path) {
    // Lists and texts have built-in properties: size, first, last.
    if (value === null || typeof value !== 'object' || Array.isArray(value)) return value !== undefined
    if (!Object.hasOwn(value, name)) return name === 'size'
    value = (value as Record<string, unknown>)[name]
  }
  return true
}
