/** The bytes of a body as they come; giving up the iteration closes the connection. */
export async function* piecesOf(body: ReadableStream<Uint8Array<ArrayBuffer>> | null): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  if (body === null) return;
  const reader = body.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}
