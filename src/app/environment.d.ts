interface ImportMetaEnv {
  /** `1` in the build that is made for measuring. */
  readonly VITE_BENCH?: string;
}
