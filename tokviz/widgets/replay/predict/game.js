/**
 * The game of being the tokenizer: what the reader joins, what is shown instead, and where it begins and ends.
 */

export class Game {
  #parts;
  #player;
  #questions;
  #selection;
  #display;

  /**
   * @param {import("../player/parts.js").Parts} parts
   * @param {object} played
   * @param {import("../player/player.js").Player} played.player
   * @param {import("./questions.js").Questions} played.questions
   * @param {import("../stage/selection.js").TokenSelection} played.selection
   * @param {import("../player/display.js").Display} played.display
   */
  constructor(parts, { player, questions, selection, display }) {
    this.#parts = parts;
    this.#player = player;
    this.#questions = questions;
    this.#selection = selection;
    this.#display = display;
  }

  /** Ask all questions, from the start. */
  begin() {
    this.#questions.restart();
    this.#parts.vote.reset();
    this.#selection.follow(null);
    this.#player.pause();
    this.#player.seek(this.#questions.firstAskedFrom(0));
  }

  /** Pick a token to join it with another: a right pair joins as a step does, a wrong one springs back. @param {number} start */
  play(start) {
    this.#answer(this.#questions.pick(start, this.#player.position, this.#display.writing));
  }

  /** Join two tokens, of which one was dragged onto the other. @param {number} start @param {number} onto */
  drop(start, onto) {
    this.#answer(this.#questions.move([start, onto], this.#player.position, this.#display.writing));
  }

  /** @param {ReturnType<import("./questions.js").Questions["move"]>} judged */
  #answer(judged) {
    if (judged?.isCounted) this.#parts.vote.mark(this.#player.position, judged.isRight);
    if (judged?.isRight) return this.#join();
    this.#display.redraw();
    if (judged) this.#parts.stage.spring(judged.starts, judged.brief);
  }

  /** Join the pair that the reader found. After the last question the focus goes where the game goes on. */
  #join() {
    const hadFocus = this.#parts.stage.node.matches(":focus-within");
    this.#questions.reveal(this.#player.position);
    this.#player.next();
    if (hadFocus && this.#questions.isPlayed && !this.#questions.isAsked(this.#player.position)) this.#parts.vote.focus();
  }

  /** Answer an open question for the reader: join the right pair, or show it among choices. Else go on; after the last merge play again. */
  give() {
    const { position, isAtEnd } = this.#player;
    if (isAtEnd) return this.begin();
    if (this.#questions.isAsked(position)) {
      this.#parts.vote.mark(position, false);
      if (!this.#questions.isPlayed) return this.reveal();
      this.#questions.give(position, this.#display.writing);
    }
    this.#player.next();
  }

  /** Show the answer to the open question. */
  reveal() {
    this.#parts.vote.reveal();
    this.#questions.reveal(this.#player.position);
    this.#display.showAll();
  }
}
