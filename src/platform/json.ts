/** JSON text that is sent as it is. */
export class Json {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }

  /** Returns the same object with one more member. */
  with(name: string, value: string | number | boolean | Json): Json {
    const text = value instanceof Json ? value.text : JSON.stringify(value)
    return new Json(`${this.text.slice(0, -1)},${JSON.stringify(name)}:${text}}`)
  }
}
