#!/usr/bin/env python3
"""Random modules through the precision pass, and what must hold for each of them.

  random_graphs.py AMP_OPT [FLAG]... COUNT SEED

Runs `amp` with every kind of options on COUNT modules and checks that

- the module that comes out verifies,
- a second run changes nothing, also if the mark of the first one is stripped,
- no value has two casts to one type in a block, and no cast reads the cast that it undoes,
- every rounding that the user wrote is still there.
"""

import random
import re
import subprocess
import sys

ROW = {"f32": "tensor<8x8xf32>", "f16": "tensor<8x8xf16>", "bf16": "tensor<8x8xbf16>", "f64": "tensor<8x8xf64>"}
CONSTANTS = ["1.0", "0.1", "65504.0", "65520.0", "-1.0e9", "1.0e-8", "6.0e-05", "0.0", "0x7F800000"]
OPTIONS = [f"dtype={dtype} level={level} master-weights={masters}" for dtype in ("f16", "bf16")
           for level, masters in (("O1", "resident"), ("O1", "cast"), ("O2", "resident"), ("O3", "resident"))]
OPTIONS += [
    "dtype=f16 policy-json={\"classes\": {\"train.softmax\": \"allow\", \"train.mse\": \"allow\", \"train.add\": \"deny\"}}",
    "dtype=f16 policy-json={\"classes\": {\"train.tanh\": \"allow\", \"train.sgd\": \"allow\", \"train.reduce\": \"allow\"}}",
    "dtype=bf16 policy-json={\"classes\": {\"train.matmul\": \"keep\", \"train.linear\": \"promote\", \"train.relu\": \"internal-f32\"}}",
]
OPTIONS.append("dtype=f16 level=O3 policy-json={\"classes\": {\"train.sgd\": \"keep\", \"train.linear\": \"allow\"}, \"tables\": []}")
# These need a step function.
STEP_OPTIONS = ["dtype=f16 loss-scale=static static-scale=8", "dtype=bf16 loss-scale=dynamic master-weights=cast"]


class Body:
    """The text of one block: a list of 8x8 values with their element types, and the ops that make them."""

    def __init__(self, choice, values, vectors, depth=0, trainable=False):
        self.choice, self.values, self.vectors = choice, list(values), list(vectors)
        self.depth, self.trainable = depth, trainable
        self.lines = []

    def name(self):
        self.choice.count += 1
        return f"%v{self.choice.count}"

    def pick(self):
        # Recent values make deep graphs.
        if self.choice.random() < 0.6:
            return self.values[-1 - min(int(self.choice.expovariate(0.7)), len(self.values) - 1)]
        return self.choice.choice(self.values)

    def result_type(self, *operands):
        if any(kind == "f64" for _, kind in operands):
            return "f64"
        if not self.trainable and self.choice.random() < 0.08:
            return self.choice.choice(["f16", "bf16"])
        return "f32"

    def mark(self):
        if self.choice.random() < 0.06:
            return ' {amp.precision = "%s"}' % self.choice.choice(["low", "f32", "keep"])
        return ""

    def emit(self, kind, text):
        name = self.name()
        self.lines.append(f"{name} = {text}")
        self.values.append((name, kind))

    def add_op(self):
        getattr(self, self.choice.choice(self.KINDS))()

    def contraction(self):
        (a, ta), (b, tb) = self.pick(), self.pick()
        kind = self.result_type((a, ta), (b, tb))
        if self.choice.random() < 0.5:
            flag = self.choice.choice(["", " {transpose_lhs}", " {transpose_rhs}"]) or self.mark()
            self.emit(kind, f"train.matmul {a}, {b}{flag} : ({ROW[ta]}, {ROW[tb]}) -> {ROW[kind]}")
        else:
            bias = self.choice.choice(self.vectors)
            self.emit(kind, f"train.linear {a}, {b} bias {bias}{self.mark()} : ({ROW[ta]}, {ROW[tb]}, tensor<8xf32>) -> {ROW[kind]}")

    def binary(self):
        (a, ta), (b, tb) = self.pick(), self.pick()
        kind = self.result_type((a, ta), (b, tb))
        gradients = [] if self.trainable else ["relu_grad", "tanh_grad", "softmax_grad", "gelu_grad"]
        op = self.choice.choice(["add", "sub", "mul", "div"] + gradients)
        self.emit(kind, f"train.{op} {a}, {b}{self.mark()} : ({ROW[ta]}, {ROW[tb]}) -> {ROW[kind]}")

    def unary(self):
        a, ta = self.pick()
        kind = self.result_type((a, ta))
        op = self.choice.choice(["neg", "relu", "tanh", "sigmoid", "gelu", "softmax", "log_softmax"])
        self.emit(kind, f"train.{op} {a}{self.mark()} : ({ROW[ta]}) -> {ROW[kind]}")

    def shape(self):
        a, ta = self.pick()
        kind = self.result_type((a, ta))
        if self.choice.random() < 0.5:
            self.emit(kind, f"train.transpose {a} permutation [1, 0]{self.mark()} : ({ROW[ta]}) -> {ROW[kind]}")
        else:
            self.emit(kind, f"train.reshape {a}{self.mark()} : ({ROW[ta]}) -> {ROW[kind]}")

    def cast(self):
        a, ta = self.pick()
        kind = self.choice.choice(["f32"] if self.trainable else ["f16", "bf16", "f32"])
        self.emit(kind, f"train.cast {a} : ({ROW[ta]}) -> {ROW[kind]}")

    def constant(self):
        value = self.choice.choice(CONSTANTS)
        self.emit("f32", f"arith.constant dense<{value}> : {ROW['f32']}")

    def reduce(self):
        a, ta = self.pick()
        kind = self.choice.choice(["sum", "mean", "max", "min"])
        vector, result = self.name(), "f64" if ta == "f64" else "f32"
        like, tl = self.pick()
        self.lines.append(f"{vector} = train.reduce {kind} {a} dimensions [0]{self.mark()} : ({ROW[ta]}) -> tensor<8x{result}>")
        self.emit(result, f"train.broadcast {vector} like {like} dimensions [0] : (tensor<8x{result}>, {ROW[tl]}) -> {ROW[result]}")
        if not self.trainable and self.choice.random() < 0.4:
            g, tg = self.pick()
            grad = self.name()
            self.lines.append(f"{grad} = train.reduce mean {g} dimensions [0] : ({ROW[tg]}) -> tensor<8x{result}>")
            if tg != "f64" or result == "f64":
                self.emit(result, f"train.reduce_grad {kind} {grad}, {a}, {vector} dimensions [0] : (tensor<8x{result}>, {ROW[ta]}, tensor<8x{result}>) -> {ROW[result]}")

    def broadcast(self):
        like, tl = self.pick()
        self.emit("f32", f"train.broadcast {self.choice.choice(self.vectors)} like {like} dimensions [0] : (tensor<8xf32>, {ROW[tl]}) -> {ROW['f32']}")

    def read(self):
        self.emit("f32", f"train.read @{self.choice.choice(['w', 'u', 'p', 'm'])} : {ROW['f32']}")

    def branch(self):
        if self.depth > 1:
            return self.unary()
        first, second = (Body(self.choice, self.values, self.vectors, self.depth + 1) for _ in range(2))
        for body in (first, second):
            for _ in range(self.choice.randint(1, 4)):
                body.add_op()
            body.end_in("scf.yield")
        lines = [f"scf.if %condition -> {ROW['f32']} {{"] + first.lines + ["} else {"] + second.lines + ["}"]
        self.emit("f32", "\n".join(lines))

    def last(self):
        return next(value for value in reversed(self.values) if value[1] == "f32")[0]

    def end_in(self, terminator):
        self.lines.append(f"{terminator} {self.last()} : {ROW['f32']}")

    KINDS = ["contraction"] * 4 + ["binary"] * 3 + ["unary"] * 3 + ["shape", "shape", "cast", "constant", "reduce",
                                                                    "broadcast", "read", "branch"]
    # What autodiff takes: one block.
    TRAINABLE = [kind for kind in KINDS if kind != "branch"]


def variables():
    lines = [f"train.variable @{name} : {ROW['f32']} = #train.he<normal>" for name in ("w", "u")]
    lines.append(f"train.variable frozen @p : {ROW['f32']} = #train.constant<-1.0e9>")
    lines.append(f"train.variable optimizer_state @m : {ROW['f32']} = #train.zeros")
    return lines


def plain_function(choice):
    values = [("%x", "f32"), ("%y", "f32"), ("%h", "f16"), ("%d", "f64")]
    choice.shuffle(values)
    body = Body(choice, values, ["%b"])
    for _ in range(choice.randint(3, 25)):
        body.add_op()
    if choice.random() < 0.5:
        body.lines.append(f"train.assign @w, {body.last()} : {ROW['f32']}")
    if choice.random() < 0.3:
        body.read()
        body.contraction()
    if choice.random() < 0.5:
        a, ta = body.pick()
        if ta != "f64":
            body.lines.append(f"%loss = train.mse {a}, %x{body.mark()} : ({ROW[ta]}, {ROW['f32']}) -> tensor<f32>")
    kept = choice.choice([kind for kind in body.values if kind[1] == "f32"])[0]
    returned = f"return {body.last()}, {kept} : {ROW['f32']}, {ROW['f32']}"
    head = (f"func.func @f(%x: {ROW['f32']}, %y: {ROW['f32']}, %h: {ROW['f16']}, %d: {ROW['f64']}, %b: tensor<8xf32>, "
            f"%condition: i1) -> ({ROW['f32']}, {ROW['f32']}) {{")
    return variables() + [head] + body.lines + [returned, "}"]


def training(choice):
    """A loss and a task; the mark of the tool's caller says whether the user rounds in it."""
    body = Body(choice, [("%x", "f32"), ("%w", "f32"), ("%u", "f32")], ["%b"], trainable=True)
    body.KINDS = Body.TRAINABLE
    body.contraction()
    for _ in range(choice.randint(2, 15)):
        body.add_op()
        if choice.random() < 0.3:
            body.values.append(("%w", "f32"))
    lines = variables()
    lines.append(f"func.func @loss(%x: {ROW['f32']}, %b: tensor<8xf32>, %t: tensor<8xi32>) -> tensor<f32> {{")
    lines += [f"%w = train.read @w : {ROW['f32']}", f"%u = train.read @u : {ROW['f32']}"] + body.lines
    lines.append(f"%end = train.matmul {body.last()}, %w : ({ROW['f32']}, {ROW['f32']}) -> {ROW['f32']}")
    loss = choice.choice([
        f"train.cross_entropy %end, %t : ({ROW['f32']}, tensor<8xi32>) -> tensor<f32>",
        f"train.mse %end, %x : ({ROW['f32']}, {ROW['f32']}) -> tensor<f32>",
        f"train.reduce mean %end dimensions [0, 1] : ({ROW['f32']}) -> tensor<f32>",
    ])
    lines += [f"%loss = {loss}", "return %loss : tensor<f32>", "}"]
    optimizer = choice.choice(["sgd<learning_rate = 0.1>", "momentum<learning_rate = 0.1>", "adamw<learning_rate = 0.1>"])
    clip = choice.choice(["", " clip_norm(1.0)"])
    lines.append(f"train.task @t loss(@loss) optimizer(#train.{optimizer}){clip}")
    return lines


def run(tool, text, *flags):
    done = subprocess.run([*tool, "-", "--split-input-file", *flags], input=text, capture_output=True, text=True)
    if done.returncode:
        error = done.stderr[max(done.stderr.find("error:") - 40, 0):]
        sys.exit(f"{' '.join(flags)} failed:\n{error[:2000]}\n{text}")
    return done.stdout


def check_casts(part, options):
    """One cast per value, type and block; no cast of a cast."""
    # Sibling blocks use the same names for other values.
    blocks, undone = [set()], [{}]
    for line in part.split("\n"):
        if line.strip().startswith("}"):
            blocks.pop()
            undone.pop()
        match = re.match(r"\s*(%\w+) = amp\.cast (%[\w#]+) : (\S+) to (\S+)", line)
        if match:
            result, operand, source, target = match.groups()
            if (operand, target) in blocks[-1]:
                sys.exit(f"{options}: two casts of {operand} to {target}\n{part}")
            blocks[-1].add((operand, target))
            if any(scope.get(operand) == target for scope in undone):
                sys.exit(f"{options}: {result} undoes the cast {operand}\n{part}")
            undone[-1][result] = source
        if line.rstrip().endswith("{"):
            blocks.append(set())
            undone.append({})


def count_roundings(text):
    return [len(re.findall(r"train\.cast", part)) for part in text.split("// -----")]


def main():
    tool, count, seed = sys.argv[1:-2], int(sys.argv[-2]), int(sys.argv[-1])
    choice = random.Random(seed)
    choice.count = 0
    runs = 0
    for make, flags, kinds in ((plain_function, [], OPTIONS),
                               (training, ["--amp-stage-autodiff"], OPTIONS + STEP_OPTIONS)):
        runs += count * len(kinds)
        modules = ["\n".join(make(choice)) for _ in range(count)]
        source = run(tool, "\n// -----\n".join(modules), *flags)
        for options in kinds:
            once = run(tool, source, f"--amp={options}")
            if run(tool, once, f"--amp={options}") != once:
                sys.exit(f"a second run with {options} changes its input\n{once}")
            stripped = re.sub(r" attributes \{amp.low_type = b?f16\}", "", once)
            if run(tool, stripped, f"--amp={options}") != once:
                sys.exit(f"{options}: the mark matters\n{once}")
            if count_roundings(once) != count_roundings(source):
                sys.exit(f"{options}: a rounding of the user is gone\n{once}")
            for part in once.split("// -----"):
                check_casts(part, options)
    print(f"{runs} runs hold")


if __name__ == "__main__":
    main()
