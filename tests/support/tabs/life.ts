/** Whether a worker or a page can do anything: a dead one never again, a frozen one once it thaws. */
export class Life {
  #isDead = false;
  #isFrozen = false;

  get isDead(): boolean {
    return this.#isDead;
  }

  /** It lives and is not frozen. */
  get isAwake(): boolean {
    return !this.#isDead && !this.#isFrozen;
  }

  get isFrozen(): boolean {
    return this.#isFrozen;
  }

  die(): void {
    this.#isDead = true;
  }

  freeze(): void {
    this.#isFrozen = true;
  }

  thaw(): void {
    this.#isFrozen = false;
  }
}
