/** A page without a browser: its elements have children, properties and listeners, and no more. */

export class FakeElement extends EventTarget {
  children = [];
  value = "";
  classList = { toggle() {}, add() {}, remove() {} };

  constructor(tag) {
    super();
    this.tag = tag;
  }

  setAttribute(name, value) {
    this[name] = value === "" ? true : value;
  }

  append(...children) {
    this.children.push(...children);
  }

  replaceChildren(...children) {
    this.children = children;
  }

  remove() {}

  get textContent() {
    return this.children.map((child) => child.textContent ?? child).join("");
  }

  set textContent(text) {
    this.children = [text];
  }

  /** The first element with a tag. @param {string} tag */
  find(tag) {
    const elements = this.children.filter((child) => child instanceof FakeElement);
    for (const each of elements) {
      const found = each.tag === tag ? each : each.find(tag);
      if (found) return found;
    }
    return null;
  }
}

export const fakeDocument = () => Object.assign(new EventTarget(), { visibilityState: "visible", createElement: (tag) => new FakeElement(tag) });
