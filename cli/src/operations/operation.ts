/**
 * How the text of a flag becomes a value. `time`: Unix seconds, a date, or `2h` ago. `day`: a time, or a day that the
 * server counts from today, such as `-30d`. `list`: can be repeated.
 */
export type Kind = 'text' | 'integer' | 'number' | 'boolean' | 'time' | 'day' | 'list' | 'json'

/** A parameter of the query, or a field of the body. */
export type Parameter = {
  name: string
  kind: Kind
  text: string
  choices?: readonly string[]
  required?: true
  /** The greatest number that the server accepts. */
  max?: number
}

/** An operation of the API, as its generated command needs it. */
export type Operation = {
  /** The method of the SDK, such as `contacts.list`. */
  sdk: string
  /** The words of the command, such as `contacts list`. */
  command: string
  method: string
  path: string
  shape: 'page' | 'data' | 'bare' | 'none' | 'stream'
  summary: string
  description: string
  /** The names of the ids in the path. */
  ids: readonly string[]
  query: readonly Parameter[]
  /** null: the operation has no body. */
  body: readonly Parameter[] | null
  /** The body can be a file. */
  file?: true
  /** The operation accepts If-Match. */
  ifMatch?: true
  /** The list has a filter for each field, such as `version[gt]` and `custom.plan`. */
  filters?: true
  /** The command asks for a confirmation. */
  asks?: true
  /** The member of an object that `-o id` prints. */
  idMember?: string
  /** The member of the answer with the list that a table shows. */
  listMember?: string
  /** The members that the object of the answer, or each item of its list, can have. */
  members?: readonly string[]
}
