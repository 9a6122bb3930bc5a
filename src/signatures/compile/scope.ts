import type { SignatureData } from './compile.ts'
import type { ParsedTemplate } from './template.ts'
import { named, type Warnings } from './warnings.ts'

/** Names that no field can take: a field called `email` would be `fields.email` alone. */
export const ownNames: readonly (keyof SignatureData)[] = [
  'email',
  'display_name',
  'fields',
  'persona',
  'org',
]

/** What a template sees. It has no prototype, so that no name leads anywhere else. */
export function scopeOf(data: SignatureData): Record<string, unknown> {
  const scope: Record<string, unknown> = Object.create(null)
  for (const key of Object.keys(data.fields)) scope[key] = data.fields[key]
  for (const name of ownNames) scope[name] = data[name]
  return scope
}

/** Warns of names that the template uses, untested, and that are not in the data. */
export function warnOfUnknownNames({ names }: ParsedTemplate, scope: object, warnings: Warnings): void {
  for (const path of names) {
    if (!isThere(scope, path)) {
      warnings.add(
        'unknown_name',
        `Nothing is called “${named(path.join('.'))}” here: that place stays empty`,
      )
    }
  }
}

function isThere(scope: unknown, path: string[]): boolean {
  let value = scope
  for (const name of path) {
    // What belongs to every list or text (size, first, last) belongs to no name.
    if (value === null || typeof value !== 'object' || Array.isArray(value)) return value !== undefined
    if (!Object.hasOwn(value, name)) return name === 'size'
    value = (value as Record<string, unknown>)[name]
  }
  return true
}
