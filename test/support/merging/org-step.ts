import type { Entity } from './naive-rules.ts'

export type Fields = Record<string, unknown>

/** `upsert`: updates a matching record, or creates this one. */
export type NewRecord =
  | { entity: Entity; do: 'create'; id: string; fields: Fields }
  | { entity: Entity; do: 'upsert'; id: string; matchOn: string; fields: Fields }

/** Records have short names, and merges have numbers. */
export type OrgStep =
  | NewRecord
  | { entity: Entity; do: 'batch'; items: NewRecord[] }
  | { entity: Entity; do: 'write'; id: string; fields: Fields }
  | { entity: Entity; do: 'archive' | 'restore' | 'erase'; id: string }
  /** undefined: the request has no close reason. */
  | { entity: 'deal'; do: 'close'; id: string; status: 'won' | 'lost'; reason: string | null | undefined }
  | { entity: 'deal'; do: 'reopen'; id: string }
  /** Adds a note or a task about a record. Its text identifies it. */
  | { entity: Entity; do: 'note' | 'task'; id: string; text: string }
  | {
      entity: Entity
      do: 'merge'
      survivor: string
      losers: string[]
      merges: string[]
      choices: Record<string, string>
      force: boolean
      dry: boolean
      /** The rules for each loser, if known. */
      rules?: Record<string, string>[]
    }
  | { entity: Entity; do: 'undo' | 'redo'; merge: string }
  /** Merges and undoes, or undoes and redoes. The records must be the same afterwards. */
  | { entity: Entity; do: 'there and back'; survivor: string; losers: string[]; merges: string[] }
  | { entity: Entity; do: 'back and there'; merge: string }
  | {
      entity: Entity
      do: 'settings'
      survivorship: Record<string, string | null>
      undoDays: number | null | undefined
    }
  /** The undo period of this merge ends. */
  | { entity: Entity; do: 'age'; merge: string }
  | { entity: Entity; do: 'propose'; survivor: string; loser: string; name: string }
  | { entity: Entity; do: 'apply'; proposal: string; merge: string }
  | { entity: Entity; do: 'dismiss'; proposal: string }
