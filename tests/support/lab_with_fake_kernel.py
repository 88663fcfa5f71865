"""A lab in a page of no front end, whose kernel answers at once with what was worked out before."""

# answering(state, answers): a model. answers: by the trait that asks the one that answers, and its answer.
from __future__ import annotations

KERNEL = """() => {
    const module = (source) => URL.createObjectURL(new Blob([source], { type: "text/javascript" }));
    window.imported = (source) => import(module(source));
    window.answering = (state, answers) => {
        const heard = [];
        const model = {
            asked: 0,
            get: (name) => state[name],
            set(name, value) {
                state[name] = value;
                if (!(name in answers)) return;
                const [trait, answer] = answers[name];
                model.asked += 1;
                state[trait] = { ...answer, ...value };
                queueMicrotask(() => {
                    for (const [names, f] of heard) if (names.split(" ").includes(`change:${trait}`)) f();
                });
            },
            save_changes() {}, send() {}, off() {},
            on: (names, f) => heard.push([names, f]),
        };
        return model;
    };
}"""
