/** Adds a unique suffix to `username`: the last letters of `id`. */
export const withUniqueSuffix = (username: string, id: string): string =>
  `${username.slice(0, 200)}-${id.slice(-6)}`;
