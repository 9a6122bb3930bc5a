import type { Entity } from './naive-rules.ts'

export type Fields = Record<string, unknown>

/** An upsert: it updates a matching record, or else creates this record. */
export type NewRecord =
  | { entity: Entity; do: 'create'; id: string; fields: Fields }
  | { entity: Entity; do: 'upsert'; id: string; matchOn: string; fields: Fields }

/** One step of an org's history. Records have short names, and a merge has a number. */
export type OrgStep =
  | NewRecord
  | { entity: Entity; do: 'batch'; items: NewRecord[] }
  | { entity: Entity; do: 'write'; id: string; fields: Fields }
  | { entity: Entity; do: 'archive' | 'restore' | 'erase'; id: string }
  /** `reason`: the name of the close reason; undefined: the request does not contain it. */
  | { entity: 'deal'; do: 'close'; id: string; status: 'won' | 'lost'; reason: string | null | undefined }
  | { entity: 'deal'; do: 'reopen'; id: string }
  | {
      entity: Entity
      do: 'merge'
      survivor: string
      losers: string[]
      merges: string[]
      choices: Record<string, string>
      force: boolean
      dry: boolean
      /** The rules that decide for each loser, if they are known. */
      rules?: Record<string, string>[]
    }
  | { entity: Entity; do: 'undo' | 'redo'; merge: string }
  /** Merges and undoes immediately, or undoes and redoes. It must change nothing. */
  | { entity: Entity; do: 'there and back'; survivor: string; losers: string[]; merges: string[] }
  | { entity: Entity; do: 'back and there'; merge: string }
  | {
      entity: Entity
      do: 'settings'
      survivorship: Record<string, string | null>
      undoDays: number | null | undefined
    }
  /** More time passes than any org allows for an undo. */
  | { entity: Entity; do: 'age'; merge: string }
  /** The engine proposes a merge. */
  | { entity: Entity; do: 'propose'; survivor: string; loser: string; name: string }
  | { entity: Entity; do: 'apply'; proposal: string; merge: string }
  | { entity: Entity; do: 'dismiss'; proposal: string }
