/** The maximum length of an answer. An endless answer would fill the memory. */
const bytesMax = 128 * 1024 ** 2

/** The text in place of an answer that is too long: a refusal. */
export const tooLong = '{"detail":"The answer is longer than 128 MiB: check baseUrl"}'

/** Reads the text of an answer. Returns `tooLong` for more than 128 MiB. */
export async function textOf(response: Response): Promise<string> {
  const { body } = response
  // The `fetch` of another package may have another kind of body.
  if (!body?.getReader) return response.text()
  const [reader, decoder] = [body.getReader(), new TextDecoder()]
  let [text, bytes] = ['', 0]
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return text + decoder.decode()
    bytes += value.byteLength
    if (bytes > bytesMax) {
      void reader.cancel().catch(() => {})
      return tooLong
    }
    text += decoder.decode(value, { stream: true })
  }
}
