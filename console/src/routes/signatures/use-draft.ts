import { type SetStateAction, useState } from 'react'
import { ApiError } from '../../../../sdk/src/errors.ts'
import type { SignatureTemplate } from '../../../../sdk/src/generated/types.ts'
import { useScope } from '../../shell/scope.tsx'

export type Draft = { name: string; html: string; text: string | null }
type Part = keyof Draft

export const partNames: Readonly<Record<Part, string>> = { name: 'name', html: 'HTML', text: 'plain text' }
const parts = Object.keys(partNames) as Part[]

/** The editor has one kind of line break. */
const lines = (text: string) => text.replaceAll(/\r\n?/g, '\n')

export const draftOf = ({ name, html, text }: Draft): Draft => ({
  name,
  html: lines(html),
  text: text === null ? null : lines(text),
})

const changedParts = (draft: Draft, from: Draft): Part[] => {
  const before = draftOf(from)
  return parts.filter((part) => draft[part] !== before[part])
}

/** Two people changed the same parts of a template. */
export type Conflict = { theirs: SignatureTemplate; parts: readonly Part[] }

/**
 * The text of a template while a person edits it.
 * @param template as the server has it now; a newer version replaces the text unless the person changed it
 */
export function useDraft(template: SignatureTemplate): {
  draft: Draft
  /** The version that the draft began with. */
  base: SignatureTemplate
  change: (part: Partial<Draft>) => void
  isChanged: boolean
  /** The parts that somebody else saved meanwhile, and this person did not change. */
  merged: readonly string[]
  /** Stores the changes. Returns the new version; null if there is a conflict, or nothing to store yet. */
  save: (draft?: Draft, from?: SignatureTemplate) => Promise<SignatureTemplate | null>
  conflict: Conflict | null
  closeConflict: () => void
  /** Begins again with a version of the server. */
  reset: (to: SignatureTemplate) => void
} {
  const { api } = useScope()
  const [base, setBase] = useState(template)
  const [draft, setDraft] = useState(() => draftOf(template))
  const [merged, setMerged] = useState<readonly string[]>([])
  const [conflict, setConflict] = useState<Conflict | null>(null)
  const isChanged = changedParts(draft, base).length > 0
  const reset = (to: SignatureTemplate, next: SetStateAction<Draft> = draftOf(to)) => {
    setBase(to)
    setDraft(next)
    setMerged([])
    setConflict(null)
  }
  if (template.version > base.version && !isChanged) reset(template)
  const save = async (next = draft, from = base): Promise<SignatureTemplate | null> => {
    const mine = changedParts(next, from)
    const changes = Object.fromEntries(mine.map((part) => [part, next[part]]))
    /** A version, with what the person typed while it was stored or read. */
    const withTyped = (version: Draft) => (now: Draft) => ({
      ...version,
      ...Object.fromEntries(changedParts(now, draft).map((part) => [part, now[part]])),
    })
    try {
      const saved = await api.signatures.templates.update(from.template_id, changes, {
        ifMatch: from.version,
      })
      reset(saved, withTyped(draftOf(saved)))
      return saved
    } catch (error) {
      if (!(error instanceof ApiError && error.code === 'version_conflict')) throw error
      const theirs = await api.signatures.templates.get(from.template_id)
      const others = changedParts(draftOf(theirs), from)
      const both = mine.filter((part) => others.includes(part) && next[part] !== draftOf(theirs)[part])
      if (both.length > 0) setConflict({ theirs, parts: both })
      else {
        setBase(theirs)
        setDraft(withTyped({ ...draftOf(theirs), ...changes }))
        setMerged(others.map((part) => partNames[part]))
      }
      return null
    }
  }
  return {
    ...{ draft, base, isChanged, merged, save, conflict, reset },
    change: (part) => setDraft((before) => ({ ...before, ...part })),
    closeConflict: () => setConflict(null),
  }
}
