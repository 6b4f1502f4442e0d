"""gpuarr run: how many processes, what each of them has, and how they end."""
import os
import re
import signal
import subprocess
import sys
import time
import unittest

from support import COMMAND, NO_GPU, CommandTest

FACTS = 'echo "$GPUARR_RUN_RANK $GPUARR_RUN_SIZE $GPUARR_NUM_THREADS $OMP_NUM_THREADS"'


class Run(CommandTest):
    def facts(self, *words, **settings):
        out = self.succeed("run", *words, "sh", "-c", FACTS, **settings)
        return sorted(line.split() for line in out.splitlines())

    def fail_as(self, status, message, *words, **settings):
        self.assertEqual(self.fail_with(status, re.escape(message), "run", *words, **settings),
                         f"gpuarr: {message}\n")

    def start(self, *words):
        return subprocess.Popen([COMMAND, "run", *words], cwd=self.place, env=self.environment({}),
                                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE, text=True)

    def wait_for(self, condition):
        for _ in range(200):
            if condition():
                return
            time.sleep(0.05)
        self.fail("it does not come to that")

    def wait_for_end(self, processes):
        self.wait_for(lambda: not any(os.path.exists(f"/proc/{p}") for p in processes))

    @staticmethod
    def state_of(process):
        with open(f"/proc/{process}/stat", encoding="utf-8") as file:
            return file.read().rsplit(")", 1)[1].split()[0]

    def test_how_many(self):
        self.assertEqual([f[:2] for f in self.facts("-n", "3")], [[str(k), "3"] for k in range(3)])
        self.assertEqual(self.facts("-n", "1", GPUARR_NUM_THREADS="2", OMP_NUM_THREADS="2"),
                         [["0", "1", "2", "2"]])
        # Without a GPU, one for each NUMA node.
        nodes = [n for n in os.listdir("/sys/devices/system/node") if n.startswith("node")] \
            if os.path.isdir("/sys/devices/system/node") else ["one"]
        self.assertLessEqual(1, len(self.facts(GPUARR_DEVICE="host")))
        self.assertLessEqual(len(self.facts(GPUARR_DEVICE="host")), len(nodes))
        self.assertEqual(len(self.facts("-n", "256")), 256)

    def test_threads_are_divided(self):
        cpus = len(os.sched_getaffinity(0))
        for count in (2, 3):
            of_each = [int(f[2]) for f in self.facts("-n", str(count), GPUARR_NUM_THREADS=None,
                                                     OMP_NUM_THREADS=None)]
            self.assertEqual(sum(of_each), max(cpus, count))
            self.assertLessEqual(max(of_each) - min(of_each), 1)
        given = self.facts("-n", "2", GPUARR_NUM_THREADS="5", OMP_NUM_THREADS="7")
        self.assertEqual([f[2:] for f in given], [["5", "7"]] * 2)

    def test_command_line(self):
        self.refuse("run needs a program", "run")
        self.refuse("run needs a program", "run", "-n", "2")
        self.refuse("run needs a program", "run", "--")
        self.refuse("-n needs a value", "run", "-n")
        for count in ("0", "-1", "257", "two", "1.5", ""):
            self.refuse(f"-n {count}: give the number of processes, 1 to 256", "run", "-n", count,
                        "true")
        self.refuse("-n and --gpus both say how many", "run", "-n", "2", "--gpus", "true")
        self.refuse("there is no option --gpu; did you mean --gpus?", "run", "--gpu", "true")
        self.fail_as(1, "there is no GPU here", "--gpus", "true", **NO_GPU)
        self.fail_as(1, "cannot run nonesuch: No such file or directory", "-n", "3", "nonesuch")
        self.fail_as(1, "cannot run /: Permission denied", "/")
        self.assertIn("usage: gpuarr run", self.succeed("run", "--help"))
        self.assertIn("usage: gpuarr run", self.succeed("run", "-n", "2", "-h"))

    def test_words_of_the_program(self):
        words = ["--help", "-n", "7", "--", "-h", "a b", ""]
        out = self.succeed("run", "-n", "1", "printf", "%s|", *words)
        self.assertEqual(out, "|".join(words) + "|")
        self.assertEqual(self.succeed("run", "-n", "1", "--", "echo", "-n"), "")

    def test_input(self):
        done = subprocess.run([COMMAND, "run", "-n", "2", "sh", "-c",
                               'read x; echo "$GPUARR_RUN_RANK:$x"'], input="word\nmore\n",
                              capture_output=True, text=True, timeout=60,
                              env=self.environment({}))
        self.assertEqual(sorted(done.stdout.splitlines()), ["0:word", "1:"])
        self.assertEqual(done.returncode, 0)

    def test_nothing_else_is_open(self):
        out = self.succeed("run", "-n", "4", "sh", "-c",
                           "ls -l /proc/$$/fd 2>/dev/null | grep -c socket: ; ulimit -n")
        limit = subprocess.run(["sh", "-c", "ulimit -n"], capture_output=True, text=True).stdout
        self.assertEqual(sorted(out.split()), sorted(["3", limit.strip()] * 4))

    def test_status(self):
        script = 'if [ $GPUARR_RUN_RANK = 1 ]; then %s; fi; exec sleep 60'
        start = time.monotonic()
        self.fail_as(7, "process 1 of 3 ended with exit status 7; the others were ended", "-n", "3",
                     "sh", "-c", script % "exit 7")
        self.fail_as(137, "process 1 of 2 ended with signal 9 (Killed); the others were ended",
                     "-n", "2", "sh", "-c", script % "kill -9 $$")
        self.fail_as(3, "process 0 of 1 ended with exit status 3", "-n", "1", "sh", "-c", "exit 3")
        self.assertLess(time.monotonic() - start, 4)
        self.succeed("run", "-n", "2", "sh", "-c", 'sleep 0.$GPUARR_RUN_RANK')

    def test_who_does_not_end_is_killed(self):
        start = time.monotonic()
        self.fail_as(2, "process 1 of 2 ended with exit status 2; the others were ended", "-n", "2",
                     "sh", "-c", 'if [ $GPUARR_RUN_RANK = 1 ]; then sleep 0.3; exit 2; fi; '
                     'trap "" TERM; sleep 50; sleep 50')
        self.assertTrue(4 < time.monotonic() - start < 20)

    def test_signals(self):
        # What a process started is ended as well.
        for number, status in ((signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129)):
            process = self.start("-n", "2", "sh", "-c", "sleep 60 & echo $!; wait; wait")
            inner = [int(process.stdout.readline()) for _ in range(2)]
            process.send_signal(number)
            _, errors = process.communicate(timeout=20)
            self.assertEqual(process.returncode, status, errors)
            self.assertRegex(errors, rf"process [01] of 2 ended with signal {number.value} ")
            self.wait_for_end(inner)
        script = ("import os, signal\n"
                  "def end(*_): os.write(1, b'got\\n'); os._exit(0)\n"
                  "signal.signal(signal.SIGUSR1, end)\n"
                  "os.write(1, b'%d\\n' % os.getpid())\n"
                  "while True: signal.pause()")
        process = self.start("-n", "2", sys.executable, "-c", script)
        processes = [process.pid] + [int(process.stdout.readline()) for _ in range(2)]
        process.send_signal(signal.SIGTSTP)
        self.wait_for(lambda: all(self.state_of(p) == "T" for p in processes))
        process.send_signal(signal.SIGCONT)
        self.wait_for(lambda: all(self.state_of(p) == "S" for p in processes))
        process.send_signal(signal.SIGUSR1)
        out, errors = process.communicate(timeout=20)
        self.assertEqual((process.returncode, out, errors), (0, "got\ngot\n", ""))

    def test_ends_with_its_launcher(self):
        process = self.start("-n", "2", "sh", "-c", "echo $$; exec sleep 60")
        children = [int(process.stdout.readline()) for _ in range(2)]
        process.kill()
        process.communicate(timeout=20)
        self.wait_for_end(children)


if __name__ == "__main__":
    unittest.main()
