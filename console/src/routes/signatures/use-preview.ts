import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ApiError } from '../../../../sdk/src/errors.ts'
import type { SignatureTemplatePreview } from '../../../../sdk/src/generated/types.ts'
import { usePaused } from '../../parts/use-paused.ts'
import { useScope } from '../../shell/scope.tsx'
import { liquidFilters, liquidTags } from './editor/liquid-words.ts'
import type { TemplateProblem } from './editor/problems.ts'
import type { TemplateName } from './names.ts'
import { nearest } from './nearest.ts'
import type { Draft } from './use-draft.ts'

/** A person who types pauses for longer than this between words, not between letters. */
const pauseMs = 350

export type PartProblem = TemplateProblem & { part: 'html' | 'text' | null }

/**
 * Compiles the text of the editor, soon after each change.
 * @param mailboxId null: each name shows itself
 */
export function usePreview(
  draft: Draft,
  mailboxId: number | null,
  names: readonly TemplateName[],
): {
  /** The last text that could be compiled. */
  preview: SignatureTemplatePreview | undefined
  problems: readonly PartProblem[]
  error: unknown
} {
  const { orgId, api } = useScope()
  const { html, text } = usePaused(draft, pauseMs)
  const [last, setLast] = useState<SignatureTemplatePreview>()
  const query = useQuery({
    queryKey: ['signature-preview', orgId, html, text, mailboxId],
    queryFn: ({ signal }) =>
      api.signatures.templates.preview({ html, text, mailbox_id: mailboxId }, { signal }),
    placeholderData: keepPreviousData,
    gcTime: 30_000,
  })
  const { data, error, isPlaceholderData } = query
  if (data && !isPlaceholderData && data !== last) setLast(data)
  const faults = faultsOf(error)
  return {
    preview: data ?? last,
    problems: faults ?? (data ?? last)?.warnings.map((warning) => problemOf(warning, names)) ?? [],
    error: faults ? null : error,
  }
}

/** The faults because of which the server refuses a template; null for other errors. */
export function faultsOf(error: unknown): PartProblem[] | null {
  if (!(error instanceof ApiError) || error.status !== 422) return null
  return error.problems.map(({ loc, msg }) => {
    const [, text = msg, line] = /^(.*) \(line (\d+), column \d+\)$/s.exec(msg) ?? []
    // The message lists all tags or filters. The editor offers them where they are typed.
    const [, unknown, kind, word = ''] = /^(there is no (tag|filter) “(.+)”): use one of /s.exec(text) ?? []
    const by = kind && nearest(word, Object.keys(kind === 'tag' ? liquidTags : liquidFilters))
    return {
      part: loc[1] === 'text' ? 'text' : 'html',
      kind: 'error',
      line: line === undefined ? null : Number(line),
      text: sentence(unknown ?? text),
      fix: by ? { word, by } : null,
    }
  })
}

function problemOf(
  { code, message, part, line }: SignatureTemplatePreview['warnings'][number],
  names: readonly TemplateName[],
): PartProblem {
  const word = code === 'unknown_name' ? /^“(.+?)”/.exec(message)?.[1] : undefined
  const known = names.map(({ name }) => name)
  // A name that only other mailboxes have is not mistyped.
  const by = word && !known.includes(word) && nearest(word, known)
  return { part, line, kind: 'warning', text: sentence(message), fix: word && by ? { word, by } : null }
}

const sentence = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`
