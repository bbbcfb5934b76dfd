/** What of a `Cache` is needed here. */
type Files = Pick<Cache, 'keys' | 'match' | 'put' | 'delete'>;

/** Names in here carry a hash of their content: a file of another build never stands in for one of this build. */
const HASHED = /\/assets\//;

/**
 * Copies the files of earlier builds from the cache of the whole build to `to`, where tabs of those builds find what they load later: a screen, a
 * language, their worker when it has to be started again. The host has thrown them away by then.
 */
export async function keepEarlierFiles(from: Files, to: Files, current: ReadonlySet<string>): Promise<void> {
  const earlier = (await from.keys()).filter(({ url }) => !current.has(url) && HASHED.test(url));
  for (const request of earlier) {
    const file = await from.match(request);
    if (file !== undefined) await to.put(request, file);
  }
}

/**
 * Removes what `keepEarlierFiles` left, and engines that a newer one has come after; call it when no tab is open that could still want any of
 * it. An engine is megabytes, and each release would leave one.
 */
export async function dropEarlierFiles(files: Files): Promise<void> {
  const requests = await files.keys();
  // The keys come in the order in which they were stored: the last of a name is the newest.
  const newest = new Map(requests.map(({ url }) => [nameOf(url), url]));
  for (const request of requests)
    if (HASHED.test(request.url) || newest.get(nameOf(request.url)) !== request.url) await files.delete(request);
}

/** A file's address without the hash of its content. */
function nameOf(url: string): string {
  return url.replace(/-[\w-]{8}(?=\.\w+$)/, '');
}
