// Where the bytes of a bundle come from: a folder or an archive.

export interface BundleFiles {
  /**
   * The bytes of the file; undefined when there is none.
   * @throws Error, one sentence, when there is something that must not be read or cannot be.
   */
  read(name: string): Promise<Uint8Array | undefined>
}
